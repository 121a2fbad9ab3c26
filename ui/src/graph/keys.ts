/** What each key does on the drawing. */

import { panned, zoomed } from "./camera";
import type { Stage } from "./stage";
import { closestTo, isArrow, neighbourThatWay, nextNeighbour } from "./steering";

const PAN_PIXELS = 60;
const SHIFTED: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [1, 0],
  ArrowRight: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** The node around which `[` and `]` walk, and the neighbour they reached last. */
export interface Walk {
  around: number;
  last: number;
}

/** Does what `key` asks; false when it asks nothing. `chosen` is the index of the chosen node or -1. */
export function press(stage: Stage, key: string, shift: boolean, chosen: number, walk: Walk): boolean {
  const { camera, size } = stage;
  const way = SHIFTED[key];
  if (shift && way) stage.camera = panned(camera, size, way[0] * PAN_PIXELS, way[1] * PAN_PIXELS);
  else if (isArrow(key)) move(stage, chosen < 0 ? middle(stage) : neighbourThatWay(stage.shown, stage.projection.screen, chosen, key));
  else if (key === "[" || key === "]") circle(stage, chosen, walk, key === "[");
  else if (key === "+" || key === "=") stage.camera = zoomed(camera, size, 0.8);
  else if (key === "-") stage.camera = zoomed(camera, size, 1.25);
  else if (key === "0") stage.fit();
  else if (key === "Home") move(stage, stage.shown.order[0] ?? -1);
  else if (key === "Enter" && chosen >= 0) stage.open(chosen);
  else if (key === "Escape" && chosen >= 0) stage.choose(-1);
  else return false;
  return true;
}

function move(stage: Stage, index: number): void {
  if (index < 0) return;
  stage.choose(index);
  stage.reveal(index);
}

function circle(stage: Stage, chosen: number, walk: Walk, back: boolean): void {
  if (chosen < 0) return move(stage, middle(stage));
  if (walk.last !== chosen) Object.assign(walk, { around: chosen, last: -1 });
  const next = nextNeighbour(stage.shown, walk.around, walk.last, back);
  if (next < 0) return;
  walk.last = next;
  move(stage, next);
}

function middle({ shown, projection, size }: Stage): number {
  return closestTo(shown, projection.screen, size.width / 2, size.height / 2);
}
