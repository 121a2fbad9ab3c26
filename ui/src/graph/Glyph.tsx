/** A node's form and an edge family's line as small signs, the same as in the drawing. */

import { FAMILY_LOOKS, FORM, type Form, formOf, toneOf } from "./families";
import type { Tone } from "./palette";
import type { Family, GraphNode } from "./types";

export function NodeGlyph({ node }: { readonly node: GraphNode }) {
  return <FormGlyph form={formOf(node)} tone={toneOf(node)} />;
}

export function FormGlyph({ form, tone }: { readonly form: Form; readonly tone: Tone }) {
  return (
    <svg className="graph-glyph" data-tone={tone} data-form={form} viewBox="0 0 18 14" width="18" height="14" aria-hidden="true">
      {form === FORM.entity ? <circle cx="9" cy="7" r="5" /> : <rect x="2" y="2" width="14" height="10" rx="2" />}
      {form === FORM.split && <path d="M11 1 7 13" />}
    </svg>
  );
}

export function FamilyGlyph({ family }: { readonly family: Family }) {
  const look = FAMILY_LOOKS[family];
  return (
    <svg className="graph-line" data-tone={look.tone} viewBox="0 0 26 10" width="26" height="10" aria-hidden="true">
      <path d={look.arrows === "none" ? "M1 5H25" : "M1 5H20"} strokeDasharray={look.dash.join(" ") || undefined} />
      {look.arrows !== "none" && <path className="graph-tip" d="M25 5 18.5 2v6Z" />}
      {look.arrows === "both" && <path className="graph-tip" d="M1 5 7.5 2v6Z" />}
    </svg>
  );
}
