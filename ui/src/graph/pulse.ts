/** What fired and the ways between: which nodes and edges light up, and how far a pulse has come along them. */

import type { Network, Shown } from "./network";
import type { Pulse } from "./types";

/** Milliseconds a pulse takes for one step of a path. */
export const STEP_MS = 420;

/** A pulse on a network: shown indices that fired, best first, and ways as indices in walking order. */
export interface Fired {
  readonly nodes: readonly number[];
  readonly ways: readonly (readonly number[])[];
  /** Steps of the longest way. */
  readonly steps: number;
}

export function firedOf(pulse: Pulse, network: Network, shown: Shown): Fired {
  const known = (ids: readonly string[]) => {
    const indices = ids.map((id) => network.indexOf.get(id));
    return indices.filter((index): index is number => index !== undefined && shown.visible[index] === 1);
  };
  const nodes = known(pulse.fired);
  const ways = pulse.paths
    ? pulse.paths.filter((path) => known(path).length === path.length).map(known)
    : waysBetween(nodes, shown);
  return { nodes, ways, steps: Math.max(0, ...ways.map((way) => way.length - 1)) };
}

/** From the best fired node to each other one: the edge between, or the first shown node that links both. */
function waysBetween(nodes: readonly number[], shown: Shown): number[][] {
  const [best, ...rest] = nodes;
  if (best === undefined) return [];
  const near = new Set((shown.neighbours[best] ?? []).map(({ index }) => index));
  const ways: number[][] = [];
  for (const other of rest) {
    if (near.has(other)) ways.push([best, other]);
    else {
      const middle = shown.neighbours[other]?.find(({ index }) => near.has(index));
      if (middle) ways.push([best, middle.index, other]);
    }
  }
  return ways;
}

/** Where a pulse is after `ms`: the step of the way it walks and its share 0 to 1, or null before and after. */
export function headOf(way: readonly number[], ms: number): { readonly step: number; readonly share: number } | null {
  const walked = ms / STEP_MS;
  if (walked < 0 || walked >= way.length - 1) return null;
  return { step: Math.floor(walked), share: walked - Math.floor(walked) };
}
