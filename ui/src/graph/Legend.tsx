/** What forms, lines and colours mean. */

import { FAMILY_LOOKS, FORM } from "./families";
import { FamilyGlyph, FormGlyph } from "./Glyph";
import { FAMILIES } from "./types";

const ROWS = [
  [FORM.solid, "trust-high", "trust 0.80 to 1"],
  [FORM.solid, "trust-mid", "trust 0.40 to 0.80"],
  [FORM.solid, "trust-low", "trust below 0.40"],
  [FORM.split, "trust-mid", "contradicted"],
  [FORM.hollow, "superseded", "superseded"],
  [FORM.entity, "ink", "entity, larger with more links"],
] as const;

export function Legend() {
  return (
    <details className="graph-legend">
      <summary>Legend</summary>
      <ul>
        {ROWS.map(([form, tone, meaning]) => (
          <li key={meaning}>
            <FormGlyph form={form} tone={tone} />
            {meaning}
          </li>
        ))}
      </ul>
      <ul>
        {FAMILIES.map((family) => (
          <li key={family}>
            <FamilyGlyph family={family} />
            {FAMILY_LOOKS[family].meaning}
          </li>
        ))}
      </ul>
    </details>
  );
}
