/** Evidence paths as a tree from left to right: shared beginnings once, one row a leaf. */

import type { Trace } from "../api/types";
import { FAMILIES, type Family } from "./types";

type PathNode = Trace["paths"][number]["nodes"][number];

/** A place in the drawing; `key` is the ids walked to it. `row` may be a half, between the rows it leads to. */
export interface Spot {
  readonly key: string;
  readonly node: PathNode;
  readonly column: number;
  readonly row: number;
}

/** A step between two spots; `forward` when the relationship is stored as leaving the left one. */
export interface Step {
  readonly from: Spot;
  readonly to: Spot;
  readonly family: Family;
  /** What was declared of the two where it is a RELATES, else empty. */
  readonly relation: string;
  readonly forward: boolean;
}

export interface PathTree {
  readonly spots: readonly Spot[];
  readonly steps: readonly Step[];
  readonly columns: number;
  readonly rows: number;
}

interface Branch {
  readonly key: string;
  readonly node: PathNode;
  readonly column: number;
  readonly leads: ({ readonly branch: Branch } & Pick<Step, "family" | "relation" | "forward">)[];
}

/** Rows follow the order of the paths. A relationship type without a look is taken for ABOUT. */
export function pathTree(trace: Trace): PathTree {
  const first = trace.paths[0]?.nodes[0];
  if (!first) return { spots: [], steps: [], columns: 0, rows: 0 };
  const root: Branch = { key: first.id, node: first, column: 0, leads: [] };
  for (const path of trace.paths) grow(root, path);
  const placed: { spots: Spot[]; steps: Step[]; rows: number } = { spots: [], steps: [], rows: 0 };
  settle(root, placed);
  const columns = Math.max(...placed.spots.map((spot) => spot.column)) + 1;
  return { ...placed, columns };
}

function grow(root: Branch, path: Trace["paths"][number]): void {
  let at = root;
  for (const [index, step] of path.steps.entries()) {
    const node = path.nodes[index + 1]!;
    const forward = step.start === at.node.id;
    const key = `${at.key}>${step.type}${forward ? "" : "<"}>${node.id}`;
    let lead = at.leads.find(({ branch }) => branch.key === key);
    if (!lead) {
      const family = FAMILIES.find((known) => known === step.type) ?? "ABOUT";
      lead = { branch: { key, node, column: index + 1, leads: [] }, family, relation: step.relation, forward };
      at.leads.push(lead);
    }
    at = lead.branch;
  }
}

function settle(branch: Branch, placed: { spots: Spot[]; steps: Step[]; rows: number }): Spot {
  const ends = branch.leads.map((lead) => ({ ...lead, to: settle(lead.branch, placed) }));
  const row = ends.length > 0 ? (ends[0]!.to.row + ends[ends.length - 1]!.to.row) / 2 : placed.rows++;
  const spot = { key: branch.key, node: branch.node, column: branch.column, row };
  placed.spots.push(spot);
  for (const { to, family, relation, forward } of ends) placed.steps.push({ from: spot, to, family, relation, forward });
  return spot;
}
