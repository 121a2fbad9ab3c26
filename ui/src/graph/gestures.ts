/** Pointer, wheel and touch: turning, moving and nearing the picture, pointing at nodes, choosing, placing, opening. */

import { type Camera, panned, scaleAt, type Size, turned, zoomed } from "./camera";
import type { Mode } from "./types";

/** What gestures act on. */
export interface Gestured {
  readonly mode: Mode;
  readonly size: Size;
  camera: Camera;
  /** The node under a point of the picture, in CSS pixels from its corner; -1 when there is none. */
  hit(x: number, y: number, slop: number): number;
  point(index: number): void;
  choose(index: number): void;
  open(index: number): void;
  /** Moves a node by pixels and keeps it there. */
  drag(index: number, right: number, down: number): void;
}

const CLICK_PIXELS = 4;
const FINGER_SLOP = 14;
const TURN_PER_PIXEL = 0.006;

interface Finger {
  x: number;
  y: number;
}

export class Gestures {
  readonly #fingers = new Map<number, Finger>();
  readonly #host: HTMLElement;
  readonly #scene: Gestured;
  readonly #ended = new AbortController();
  #moved = 0;
  #held = -1;
  #panning = false;

  constructor(host: HTMLElement, scene: Gestured) {
    this.#host = host;
    this.#scene = scene;
    const { signal } = this.#ended;
    host.addEventListener("pointerdown", (event) => this.#down(event), { signal });
    host.addEventListener("pointermove", (event) => this.#move(event), { signal });
    host.addEventListener("pointerup", (event) => this.#up(event), { signal });
    host.addEventListener("pointercancel", (event) => this.#fingers.delete(event.pointerId), { signal });
    host.addEventListener("pointerleave", () => this.#scene.point(-1), { signal });
    host.addEventListener("dblclick", (event) => this.#scene.open(this.#hit(event, 0)), { signal });
    host.addEventListener("contextmenu", (event) => event.preventDefault(), { signal });
    host.addEventListener("wheel", (event) => this.#wheel(event), { signal, passive: false });
  }

  stop(): void {
    this.#ended.abort();
  }

  #down(event: PointerEvent): void {
    this.#host.setPointerCapture(event.pointerId);
    this.#fingers.set(event.pointerId, this.#at(event));
    this.#moved = 0;
    this.#panning = event.button > 0 || event.shiftKey || this.#scene.mode === "2d";
    this.#held = event.button === 0 && this.#fingers.size === 1 ? this.#hit(event, slopOf(event)) : -1;
  }

  #move(event: PointerEvent): void {
    const finger = this.#fingers.get(event.pointerId);
    if (!finger) {
      if (event.pointerType !== "touch") this.#scene.point(this.#hit(event, 0));
      return;
    }
    const to = this.#at(event);
    const [right, down] = [to.x - finger.x, to.y - finger.y];
    this.#moved += Math.abs(right) + Math.abs(down);
    if (this.#fingers.size === 2) this.#pinch(event.pointerId, to);
    else if (this.#moved > CLICK_PIXELS) this.#pull(right, down);
    else return;
    Object.assign(finger, to);
  }

  #pull(right: number, down: number): void {
    const { camera, size } = this.#scene;
    if (this.#held >= 0) this.#scene.drag(this.#held, right, down);
    else if (this.#panning) this.#scene.camera = panned(camera, size, right, down);
    else this.#scene.camera = turned(camera, -right * TURN_PER_PIXEL, down * TURN_PER_PIXEL);
  }

  /** Two fingers: their middle moves the picture, their distance nears it. */
  #pinch(moving: number, to: Finger): void {
    const [first, second] = [...this.#fingers.entries()] as [[number, Finger], [number, Finger]];
    const still = first[0] === moving ? second[1] : first[1];
    const from = first[0] === moving ? first[1] : second[1];
    const factor = distance(from, still) / Math.max(1, distance(to, still));
    const { size } = this.#scene;
    const moved = panned(this.#scene.camera, size, (to.x - from.x) / 2, (to.y - from.y) / 2);
    this.#scene.camera = zoomed(moved, size, factor, (to.x + still.x) / 2, (to.y + still.y) / 2);
    this.#held = -1;
  }

  #up(event: PointerEvent): void {
    const alone = this.#fingers.size === 1;
    this.#fingers.delete(event.pointerId);
    if (alone && this.#moved <= CLICK_PIXELS && event.button === 0) this.#scene.choose(this.#hit(event, slopOf(event)));
    this.#held = -1;
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1);
    const { x, y } = this.#at(event);
    const factor = Math.exp(Math.max(-240, Math.min(240, pixels)) * 0.0016);
    this.#scene.camera = zoomed(this.#scene.camera, this.#scene.size, factor, x, y);
  }

  #hit(event: MouseEvent, slop: number): number {
    const { x, y } = this.#at(event);
    return this.#scene.hit(x, y, slop);
  }

  #at(event: MouseEvent): Finger {
    const box = this.#host.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }
}

/** World units that a drag by pixels moves a node at `depth` from the camera. */
export function worldPerPixel(camera: Camera, size: Size, depth: number): number {
  return depth / camera.distance / scaleAt(camera, size);
}

function slopOf(event: PointerEvent): number {
  return event.pointerType === "touch" ? FINGER_SLOP : 0;
}

function distance(a: Finger, b: Finger): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
