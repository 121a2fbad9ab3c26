/** Declared relations in words, read from either end, and which of them have a direction. */

import type { RelateRequest } from "../api/types";

/** The names that a relation can be declared by; `related_to` is another word for `analogous_to`. */
export type Relation = Exclude<NonNullable<RelateRequest["relation"]>, "related_to">;

/** How the first memory stands to the other, and how the other stands to it: the same words where there is no direction. */
const READINGS: Readonly<Record<Relation, readonly [outward: string, inward: string]>> = {
  supports: ["supports", "supported by"],
  depends_on: ["depends on", "needed by"],
  refined_by: ["refined by", "refines"],
  invalidated_by: ["invalidated by", "invalidates"],
  caused_by: ["caused by", "cause of"],
  led_to: ["led to", "result of"],
  retrieved_during: ["retrieved during", "occasion of retrieving"],
  analogous_to: ["analogous to", "analogous to"],
};

export const RELATIONS = Object.keys(READINGS) as readonly Relation[];

/** `names` as the API gives them: one, several with commas between, or none that is known. */
export function relationWords(names: string, outward: boolean): string {
  const words = listed(names).map((name) => READINGS[name as Relation]?.[outward ? 0 : 1] ?? name.replaceAll("_", " "));
  return words.length === 0 ? "related to" : words.join(" and ");
}

/** Whether any of the names leads from one memory to the other; a name that is not known here is taken to. */
export function hasDirection(names: string): boolean {
  return listed(names).some((name) => {
    const reading = READINGS[name as Relation];
    return reading === undefined || reading[0] !== reading[1];
  });
}

function listed(names: string): readonly string[] {
  return names.split(",").map((name) => name.trim()).filter((name) => name !== "");
}
