/** How each edge family and each node looks: its colour token, dash, arrows and words. */

import { bandOf } from "../parts/format";
import { hasDirection } from "../parts/relations";
import type { Tone } from "./palette";
import type { Family, GraphNode } from "./types";

/** `bow` bends parallel families apart, as a share of the edge's length; `dash` is in pixels. */
export interface FamilyLook {
  readonly name: string;
  readonly meaning: string;
  readonly tone: Tone;
  readonly dash: readonly number[];
  readonly arrows: "none" | "end" | "both";
  readonly bow: number;
}

export const FAMILY_LOOKS: Readonly<Record<Family, FamilyLook>> = {
  ABOUT: { name: "about", meaning: "a memory names an entity", tone: "muted", dash: [], arrows: "none", bow: 0 },
  DERIVED_FROM: {
    name: "derived from",
    meaning: "a conclusion rests on a premise",
    tone: "accent",
    dash: [],
    arrows: "end",
    bow: 0.08,
  },
  CONTRADICTS: {
    name: "contradicts",
    meaning: "two memories cannot both hold",
    tone: "trust-low",
    dash: [7, 3],
    arrows: "both",
    bow: -0.08,
  },
  SUPERSEDED_BY: {
    name: "superseded by",
    meaning: "a newer version replaced it",
    tone: "superseded",
    dash: [3, 3],
    arrows: "end",
    bow: 0,
  },
  TRUST_DECAY: {
    name: "trust decay",
    meaning: "a loss of trust that was passed on",
    tone: "trust-mid",
    dash: [2, 4],
    arrows: "end",
    bow: 0.16,
  },
  RELATES: {
    name: "relates",
    meaning: "a relation that somebody declared",
    tone: "declared",
    dash: [9, 3, 2, 3],
    arrows: "end",
    bow: -0.16,
  },
};

/** The arrows of one edge: none where what was declared has no direction. */
export function arrowsOf(family: Family, relation: string): FamilyLook["arrows"] {
  return family === "RELATES" && !hasDirection(relation) ? "none" : FAMILY_LOOKS[family].arrows;
}

/** The form of a node: memories are rectangles (split when contradicted, hollow when superseded), entities round. */
export const FORM = { solid: 0, split: 1, hollow: 2, entity: 3 } as const;
export type Form = (typeof FORM)[keyof typeof FORM];

export function isEntity(node: GraphNode): boolean {
  return node.label === "Entity";
}

export function formOf(node: GraphNode): Form {
  if (isEntity(node)) return FORM.entity;
  if (node.status === "superseded") return FORM.hollow;
  return node.status === "contradicted" ? FORM.split : FORM.solid;
}

export function toneOf(node: GraphNode): Tone {
  if (isEntity(node)) return "ink";
  if (node.status === "superseded") return "superseded";
  return node.trust == null ? "muted" : (`trust-${bandOf(node.trust)}` as const);
}
