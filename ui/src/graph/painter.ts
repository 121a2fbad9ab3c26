/** What a painter is given for one picture; WebGL and the 2D canvas paint the same frame alike. */

import type { Size } from "./camera";
import type { Network, Shown } from "./network";
import type { Palette } from "./palette";
import type { Projection } from "./projection";

/** How much a node stands out. */
export const STRESS = { plain: 0, faded: 1, strong: 2 } as const;

export interface Frame {
  readonly size: Size;
  /** Device pixels a CSS pixel. */
  readonly ratio: number;
  readonly network: Network;
  readonly shown: Shown;
  readonly projection: Projection;
  readonly palette: Palette;
  /** A STRESS a node. */
  readonly stress: Uint8Array;
  /** Opacity of faded nodes; 1 when nothing stands out. */
  readonly fading: number;
  /** Opacity of edges at the nearest depth. */
  readonly edgeOpacity: number;
  /** Share of each family's edges to paint, 0 to 1: below 1 while a slow painter's picture moves. */
  readonly edgeShare: number;
}

/** Paints nodes and edges below the overlay; `load` comes before the first paint of a network or of what is shown. */
export interface Painter {
  readonly kind: "webgl" | "canvas";
  readonly canvas: HTMLCanvasElement;
  /** Painted by the processor: one device pixel a CSS pixel is enough. */
  readonly software: boolean;
  load(network: Network, shown: Shown): void;
  paint(frame: Frame): void;
  dispose(): void;
}

/** Opacity that lets many edges lie over each other and few be seen. */
export function edgeOpacityFor(edges: number): number {
  return Math.min(0.75, Math.max(0.1, 9 / Math.sqrt(edges + 1)));
}

/** Edges that a painter on the processor gets painted within a frame's time, about. */
const QUICK_EDGES = 3_000;

export function quickShareFor(edges: number): number {
  return Math.min(1, QUICK_EDGES / Math.max(1, edges));
}

/** Gives a canvas the device pixels of its size; true when it changed (which clears it). */
export function fitCanvas(canvas: HTMLCanvasElement, size: Size, ratio: number): boolean {
  const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
  if (canvas.width === width && canvas.height === height) return false;
  canvas.width = width;
  canvas.height = height;
  return true;
}
