/** Paints a frame on a 2D canvas, for browsers without WebGL. */

import { FAMILY_LOOKS, FORM } from "./families";
import type { Network, Shown } from "./network";
import { fitCanvas, type Frame, type Painter, STRESS } from "./painter";
import { TONES } from "./palette";
import { ASPECT } from "./projection";

/** Depth is painted in this many steps of opacity. */
const DEPTHS = 4;

export class CanvasPainter implements Painter {
  readonly kind = "canvas";
  readonly software = true;
  readonly canvas = document.createElement("canvas");
  readonly #brush: CanvasRenderingContext2D;

  constructor() {
    const brush = this.canvas.getContext("2d", { alpha: false });
    if (!brush) throw new Error("this browser draws on no canvas");
    this.#brush = brush;
  }

  load(_network: Network, _shown: Shown): void {}

  paint(frame: Frame): void {
    const brush = this.#brush;
    fitCanvas(this.canvas, frame.size, frame.ratio);
    brush.setTransform(frame.ratio, 0, 0, frame.ratio, 0, 0);
    brush.globalAlpha = 1;
    brush.fillStyle = frame.palette.css.ground;
    brush.fillRect(0, 0, frame.size.width, frame.size.height);
    for (const family of frame.shown.families) this.#paintEdges(frame, family);
    for (let at = 0; at < frame.projection.drawn; at++) this.#paintNode(frame, frame.projection.order[at]!);
  }

  dispose(): void {
    this.canvas.width = 0;
  }

  #paintEdges(frame: Frame, family: Shown["families"][number]): void {
    const pairs = frame.network.links[family];
    const { screen } = frame.projection;
    const brush = this.#brush;
    const layers = Array.from({ length: DEPTHS }, () => new Path2D());
    for (let at = 0; at < pairs.length * frame.edgeShare; at += 2) {
      const [start, end] = [pairs[at]!, pairs[at + 1]!];
      if (!frame.projection.inFront(start) || !frame.projection.inFront(end)) continue;
      const layer = layers[Math.min(DEPTHS - 1, Math.floor(nearness(frame, start) * DEPTHS))]!;
      layer.moveTo(screen[start * 2]!, screen[start * 2 + 1]!);
      layer.lineTo(screen[end * 2]!, screen[end * 2 + 1]!);
    }
    brush.strokeStyle = frame.palette.css[FAMILY_LOOKS[family].tone];
    brush.lineWidth = 1;
    for (const [depth, layer] of layers.entries()) {
      brush.globalAlpha = frame.edgeOpacity * (0.3 + (0.7 * (depth + 0.5)) / DEPTHS);
      brush.stroke(layer);
    }
  }

  #paintNode(frame: Frame, index: number): void {
    const brush = this.#brush;
    const stress = frame.stress[index];
    const depth = 0.45 + 0.55 * nearness(frame, index);
    const [x, y] = [frame.projection.screen[index * 2]!, frame.projection.screen[index * 2 + 1]!];
    const half = frame.projection.clip[index * 4 + 2]!;
    const form = frame.network.forms[index]!;
    const color = frame.palette.css[TONES[frame.network.tones[index]!]!];
    const line = Math.max(1.2, half * 0.2);
    const hollow = form >= FORM.hollow;
    brush.beginPath();
    outline(brush, form, x, y, hollow ? half - line / 2 : half);
    brush.globalAlpha = 1;
    brush.fillStyle = frame.palette.css.ground;
    brush.fill();
    brush.globalAlpha = stress === STRESS.strong ? 1 : stress === STRESS.faded ? depth * frame.fading : depth;
    brush.fillStyle = form === FORM.entity ? frame.palette.css.surface : form === FORM.hollow ? frame.palette.css.ground : color;
    brush.fill();
    if (hollow) this.#stroke(color, line, form === FORM.hollow ? [half * 0.7 + 1, half * 0.4 + 1] : []);
    if (form === FORM.split) this.#split(frame, x, y, half);
  }

  #stroke(color: string, width: number, dash: readonly number[]): void {
    this.#brush.strokeStyle = color;
    this.#brush.lineWidth = width;
    this.#brush.setLineDash([...dash]);
    this.#brush.stroke();
    this.#brush.setLineDash([]);
  }

  #split(frame: Frame, x: number, y: number, half: number): void {
    this.#brush.beginPath();
    this.#brush.moveTo(x + half * 0.5, y - half);
    this.#brush.lineTo(x - half * 0.5, y + half);
    this.#stroke(frame.palette.css.ground, Math.max(1.6, half * 0.32), []);
  }
}

/** Adds the outline of a node of this form. */
export function outline(brush: CanvasRenderingContext2D, form: number, x: number, y: number, half: number): void {
  if (form === FORM.entity) brush.arc(x, y, half, 0, 2 * Math.PI);
  else brush.roundRect(x - half * ASPECT, y - half, 2 * half * ASPECT, 2 * half, half * 0.3);
}

function nearness({ projection }: Frame, index: number): number {
  const spread = Math.max(1e-3, projection.farthest - projection.nearest);
  return 1 - Math.min(1, Math.max(0, (projection.clip[index * 4 + 3]! - projection.nearest) / spread));
}
