/** Where nodes start before the layout moves them: known ones where they were, new ones beside what they link to. */

import type { Network } from "./network";
import { FAMILIES, type Mode } from "./types";

/** Three numbers a node, by id: what a drawing remembers of its positions. */
export type Places = ReadonlyMap<string, readonly [number, number, number]>;

/** `fresh` are the indices that had no place. */
export interface Start {
  readonly positions: Float32Array;
  readonly fresh: readonly number[];
}

/** The same network and places always give the same start. */
export function startOf(network: Network, places: Places, mode: Mode): Start {
  const positions = new Float32Array(network.nodes.length * 3);
  const fresh: number[] = [];
  for (const [index, node] of network.nodes.entries()) {
    const place = places.get(node.id);
    if (place) positions.set(place, index * 3);
    else fresh.push(index);
  }
  if (places.size === 0) scatter(positions, fresh, mode);
  else besideNeighbours(network, positions, fresh, mode);
  return { positions, fresh };
}

/** Even over a ball, or a disc when flat: a spiral by the golden angle. */
function scatter(positions: Float32Array, fresh: readonly number[], mode: Mode): void {
  for (const [rank, index] of fresh.entries()) {
    const radius = mode === "2d" ? 14 * Math.sqrt(rank + 0.5) : 16 * Math.cbrt(rank + 0.5);
    positions.set(onSpiral(rank, radius, mode), index * 3);
  }
}

function onSpiral(rank: number, radius: number, mode: Mode): [number, number, number] {
  const turn = rank * Math.PI * (3 - Math.sqrt(5));
  if (mode === "2d") return [radius * Math.cos(turn), radius * Math.sin(turn), 0];
  const tilt = rank * Math.PI * 20 / (9 + Math.sqrt(221));
  return [
    radius * Math.sin(turn) * Math.cos(tilt),
    radius * Math.cos(turn),
    radius * Math.sin(turn) * Math.sin(tilt),
  ];
}

/** A new node starts at the middle of its placed neighbours, a step aside; without any, at the rim. */
function besideNeighbours(network: Network, positions: Float32Array, fresh: readonly number[], mode: Mode): void {
  const waiting = new Set(fresh);
  const near = neighboursOf(network, waiting);
  const rim = farthest(positions) + 40;
  for (const [rank, index] of fresh.entries()) {
    const placed = (near.get(index) ?? []).filter((other) => !waiting.has(other));
    const step = onSpiral(rank, placed.length > 0 ? 22 : rim, mode);
    for (let axis = 0; axis < 3; axis++) {
      const middle = placed.reduce((sum, other) => sum + positions[other * 3 + axis]!, 0) / Math.max(1, placed.length);
      positions[index * 3 + axis] = middle + step[axis]!;
    }
    waiting.delete(index);
  }
}

function neighboursOf(network: Network, wanted: ReadonlySet<number>): ReadonlyMap<number, readonly number[]> {
  const near = new Map<number, number[]>();
  const note = (index: number, other: number) => {
    if (wanted.has(index)) near.set(index, [...(near.get(index) ?? []), other]);
  };
  for (const family of FAMILIES) {
    const pairs = network.links[family];
    for (let at = 0; at < pairs.length; at += 2) {
      note(pairs[at]!, pairs[at + 1]!);
      note(pairs[at + 1]!, pairs[at]!);
    }
  }
  return near;
}

function farthest(positions: Float32Array): number {
  let most = 0;
  for (let at = 0; at < positions.length; at += 3) {
    most = Math.max(most, Math.hypot(positions[at]!, positions[at + 1]!, positions[at + 2]!));
  }
  return most;
}
