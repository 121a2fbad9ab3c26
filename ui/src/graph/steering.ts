/** Moving between neighbours by keys: which one lies in the direction of an arrow, which one comes next. */

import type { Shown } from "./network";

export type Arrow = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown";

const DIRECTIONS: Readonly<Record<Arrow, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function isArrow(key: string): key is Arrow {
  return key in DIRECTIONS;
}

/** The neighbour that lies most nearly that way on the screen, within 60 degrees of it; -1 when there is none. */
export function neighbourThatWay(shown: Shown, screen: Float32Array, from: number, arrow: Arrow): number {
  const [right, down] = DIRECTIONS[arrow];
  let best = -1;
  let least = Infinity;
  for (const { index } of shown.neighbours[from] ?? []) {
    const [x, y] = [screen[index * 2]! - screen[from * 2]!, screen[index * 2 + 1]! - screen[from * 2 + 1]!];
    const distance = Math.hypot(x, y);
    const along = (x * right + y * down) / (distance || 1);
    const cost = distance * (2 - along);
    if (index !== from && along >= 0.5 && cost < least) [best, least] = [index, cost];
  }
  return best;
}

/** The neighbour after `last` around `from` (before it when `back`), in the order of the list; -1 when there is none. */
export function nextNeighbour(shown: Shown, from: number, last: number, back: boolean): number {
  const around = [...new Set((shown.neighbours[from] ?? []).map(({ index }) => index))];
  if (around.length === 0) return -1;
  const at = around.indexOf(last);
  if (at < 0) return around[back ? around.length - 1 : 0]!;
  return around[(at + (back ? around.length - 1 : 1)) % around.length]!;
}

/** The visible node closest to a point of the screen; -1 when there is none. */
export function closestTo(shown: Shown, screen: Float32Array, x: number, y: number): number {
  let best = -1;
  let least = Infinity;
  for (const index of shown.order) {
    const away = Math.hypot(screen[index * 2]! - x, screen[index * 2 + 1]! - y);
    if (away < least) [best, least] = [index, away];
  }
  return best;
}
