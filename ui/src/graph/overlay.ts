/** What lies over nodes and edges: the edges that stand out, rings, running pulses and labels. */

import { arrowsOf, FAMILY_LOOKS, FORM } from "./families";
import { labelText, Room } from "./labels";
import { outline } from "./paint_canvas";
import { fitCanvas, type Frame } from "./painter";
import { type Fired, headOf } from "./pulse";
import type { Tone } from "./palette";
import { ASPECT } from "./projection";
import type { Family } from "./types";

/** An edge that stands out. */
export interface BrightEdge {
  readonly start: number;
  readonly end: number;
  readonly family: Family;
  readonly relation: string;
}

/** What stands out in a picture; indices of nodes, -1 for none. */
export interface Highlights {
  readonly chosen: number;
  readonly pointed: number;
  readonly focused: boolean;
  readonly edges: readonly BrightEdge[];
  /** Labelled before all others. */
  readonly named: readonly number[];
  /** How many of `named` get a long label. */
  readonly central: number;
  readonly fired: readonly { readonly fired: Fired; readonly ms: number }[];
}

const LABELS = 60;
const LOOKED_AT = 700;
/** Half height in pixels from which a memory carries its words. */
const READABLE = 6.5;
const LINE = 15;

export class Overlay {
  readonly canvas = document.createElement("canvas");
  readonly #brush: CanvasRenderingContext2D;
  readonly #labels = new Map<string, { readonly text: string; readonly width: number }>();
  #font = "";

  constructor() {
    const brush = this.canvas.getContext("2d");
    if (!brush) throw new Error("this browser draws on no canvas");
    this.#brush = brush;
  }

  paint(frame: Frame, highlights: Highlights): void {
    const brush = this.#brush;
    fitCanvas(this.canvas, frame.size, frame.ratio);
    brush.setTransform(frame.ratio, 0, 0, frame.ratio, 0, 0);
    brush.clearRect(0, 0, frame.size.width, frame.size.height);
    for (const edge of highlights.edges) this.#edge(frame, edge);
    for (const { fired, ms } of highlights.fired) this.#pulse(frame, fired, ms);
    if (highlights.chosen >= 0) this.#ring(frame, highlights.chosen, "accent", highlights.focused ? 3 : 2, 4);
    if (highlights.pointed >= 0) this.#ring(frame, highlights.pointed, "ink", 1.5, 3);
    this.#names(frame, highlights);
  }

  /** A curve when its family is bent, so that parallel edges are told apart; its arrow stops at the node. */
  #edge(frame: Frame, { start, end, family, relation }: BrightEdge): void {
    const { projection } = frame;
    if (!projection.inFront(start) || !projection.inFront(end)) return;
    const look = FAMILY_LOOKS[family];
    const [fromX, fromY] = rimOf(frame, start, end);
    const [toX, toY] = rimOf(frame, end, start);
    const [bendX, bendY] = [
      (fromX + toX) / 2 + (toY - fromY) * look.bow,
      (fromY + toY) / 2 - (toX - fromX) * look.bow,
    ];
    const brush = this.#brush;
    brush.strokeStyle = brush.fillStyle = frame.palette.css[look.tone];
    brush.lineWidth = 1.6;
    brush.setLineDash([...look.dash]);
    brush.beginPath();
    brush.moveTo(fromX, fromY);
    brush.quadraticCurveTo(bendX, bendY, toX, toY);
    brush.stroke();
    brush.setLineDash([]);
    const arrows = arrowsOf(family, relation);
    if (arrows !== "none") this.#arrow(bendX, bendY, toX, toY);
    if (arrows === "both") this.#arrow(bendX, bendY, fromX, fromY);
  }

  #arrow(fromX: number, fromY: number, tipX: number, tipY: number): void {
    const turn = Math.atan2(tipY - fromY, tipX - fromX);
    const brush = this.#brush;
    brush.beginPath();
    brush.moveTo(tipX, tipY);
    brush.lineTo(tipX - 7 * Math.cos(turn - 0.42), tipY - 7 * Math.sin(turn - 0.42));
    brush.lineTo(tipX - 7 * Math.cos(turn + 0.42), tipY - 7 * Math.sin(turn + 0.42));
    brush.fill();
  }

  /** The ways stay lit; a bead runs along each until it arrives. */
  #pulse(frame: Frame, fired: Fired, ms: number): void {
    const brush = this.#brush;
    brush.strokeStyle = brush.fillStyle = frame.palette.css.accent;
    for (const way of fired.ways) {
      if (!way.every((index) => frame.projection.inFront(index))) continue;
      brush.lineWidth = 2;
      brush.beginPath();
      for (const [at, index] of way.slice(1).entries()) {
        brush.moveTo(...rimOf(frame, way[at]!, index));
        brush.lineTo(...rimOf(frame, index, way[at]!));
      }
      brush.stroke();
      const head = headOf(way, ms);
      if (!head) continue;
      const [fromX, fromY] = pointOf(frame, way[head.step]!);
      const [toX, toY] = pointOf(frame, way[head.step + 1]!);
      brush.beginPath();
      brush.arc(fromX + (toX - fromX) * head.share, fromY + (toY - fromY) * head.share, 5, 0, 2 * Math.PI);
      brush.fill();
    }
    for (const index of fired.nodes) this.#ring(frame, index, "accent", 2, 3);
  }

  #ring(frame: Frame, index: number, tone: Tone, width: number, gap: number): void {
    if (!frame.projection.inFront(index)) return;
    const brush = this.#brush;
    brush.beginPath();
    const half = halfOf(frame, index) + gap;
    outline(brush, frame.network.forms[index]!, ...pointOf(frame, index), half);
    brush.strokeStyle = frame.palette.css[tone];
    brush.lineWidth = width;
    brush.stroke();
  }

  #names(frame: Frame, { named, central }: Highlights): void {
    const room = new Room();
    const brush = this.#brush;
    this.#font ||= getComputedStyle(this.canvas).fontFamily || "sans-serif";
    brush.textAlign = "center";
    brush.textBaseline = "top";
    brush.lineJoin = "round";
    let left = LABELS;
    const special = new Set(named);
    for (const [at, index] of named.entries()) if (this.#name(frame, index, room, at < central)) left--;
    const dense = frame.shown.count > 60;
    for (const index of frame.shown.order.subarray(0, LOOKED_AT)) {
      if (left <= 0) break;
      if (special.has(index) || (frame.fading < 1 && frame.stress[index] === 1)) continue;
      const memory = frame.network.forms[index] !== FORM.entity;
      if (memory && dense && halfOf(frame, index) < READABLE) continue;
      if (this.#name(frame, index, room, false)) left--;
    }
  }

  #name(frame: Frame, index: number, room: Room, special: boolean): boolean {
    const [nodeX, y] = pointOf(frame, index);
    const { width, height } = frame.size;
    if (!frame.projection.inFront(index) || nodeX < 0 || y < 0 || nodeX > width || y > height) return false;
    const entity = frame.network.forms[index] === FORM.entity;
    const brush = this.#brush;
    brush.font = `${entity ? 600 : 400} 12px ${this.#font}`;
    const label = this.#label(frame, index, special ? 44 : 26);
    const top = y + halfOf(frame, index) + 4;
    const rim = label.width / 2 + 4;
    const x = Math.max(rim, Math.min(width - rim, nodeX));
    if (!room.take({ x, y: top, width: label.width + 8, height: LINE })) return false;
    brush.lineWidth = 4;
    brush.strokeStyle = frame.palette.css.ground;
    brush.strokeText(label.text, x, top);
    brush.fillStyle = frame.palette.css[entity || special ? "ink" : "muted"];
    brush.fillText(label.text, x, top);
    return true;
  }

  #label(frame: Frame, index: number, length: number): { readonly text: string; readonly width: number } {
    const node = frame.network.nodes[index]!;
    const key = `${length} ${node.id} ${node.label}`;
    const kept = this.#labels.get(key);
    if (kept) return kept;
    const text = labelText(node.text, length);
    const label = { text, width: this.#brush.measureText(text).width };
    this.#labels.set(key, label);
    return label;
  }
}

function pointOf({ projection }: Frame, index: number): [number, number] {
  return [projection.screen[index * 2]!, projection.screen[index * 2 + 1]!];
}

/** Where the line from a node toward another leaves its shape, a little outside. */
function rimOf(frame: Frame, from: number, toward: number): [number, number] {
  const [x, y] = pointOf(frame, from);
  const [otherX, otherY] = pointOf(frame, toward);
  const distance = Math.hypot(otherX - x, otherY - y);
  const half = halfOf(frame, from);
  const [across, down] = [(otherX - x) / (distance || 1), (otherY - y) / (distance || 1)];
  const round = frame.network.forms[from] === FORM.entity;
  const reach = round ? half : Math.min((half * ASPECT) / Math.abs(across || 1e-6), half / Math.abs(down || 1e-6));
  const gap = Math.min(reach + 4, distance / 2);
  return [x + across * gap, y + down * gap];
}

function halfOf({ projection }: Frame, index: number): number {
  return projection.clip[index * 4 + 2]!;
}
