/** The drawing itself: holds what is shown, the camera and the painters, and paints when something changed. */

import { between, type Camera, fitted, panned, shifted, type Size, START } from "./camera";
import { Gestures, type Gestured, worldPerPixel } from "./gestures";
import { type Attention, type Emphasis, emphasisOf, highlightsOf, runs } from "./highlights";
import { Layout } from "./layout";
import { type Network, networkOf, type Shown, shownOf } from "./network";
import { Overlay } from "./overlay";
import { CanvasPainter } from "./paint_canvas";
import { glPainter } from "./paint_gl";
import { edgeOpacityFor, type Painter, quickShareFor } from "./painter";
import { readPalette, watchTheme } from "./palette";
import { Projection } from "./projection";
import { firedOf } from "./pulse";
import type { GraphData, GraphSettings, Mode, Pulse } from "./types";

/** What the drawing tells its owner. `pointed` carries where the node is drawn. */
export interface StageEvents {
  readonly chosen: (id: string | null) => void;
  readonly opened: (id: string) => void;
  readonly pointed: (id: string | null, x: number, y: number) => void;
}

const TRAVEL_MS = 240;
/** A picture that did not move for so long is painted in full. */
const REST_MS = 160;
const EMPTY: GraphData = { scope: "", revision: 0, nodes: [], edges: [], total_memories: 0 };
const NOTHING: GraphSettings = { families: [], showOrphans: true, mode: "3d" };

export class Stage implements Gestured {
  size: Size = { width: 1, height: 1 };
  mode: Mode = "3d";
  network: Network = networkOf(EMPTY);
  shown: Shown = shownOf(this.network, NOTHING);
  readonly projection = new Projection();

  readonly #host: HTMLElement;
  readonly #events: StageEvents;
  readonly #layout = new Layout((settled) => this.#laidOut(settled));
  readonly #overlay = new Overlay();
  readonly #gestures: Gestures;
  readonly #cleanups: (() => void)[] = [];
  readonly #still = matchMedia("(prefers-reduced-motion: reduce)");
  readonly #seen = new Map<string, number>();
  #painter: Painter;
  #palette;
  #data: GraphData = EMPTY;
  #pulses: readonly Pulse[] = [];
  #camera: Camera = START;
  #travel: { readonly from: Camera; readonly to: Camera; readonly since: number } | null = null;
  #steered = false;
  #attention: Attention = { chosen: -1, pointed: -1, focused: false, pulses: [], still: false };
  #emphasis: Emphasis | null = null;
  #chosenId: string | null = null;
  /** The node that the camera is to go to, until it did or the person steers. */
  #followed: string | null = null;
  #asked = 0;
  #movedAt = -Infinity;
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor(host: HTMLElement, events: StageEvents) {
    this.#host = host;
    this.#events = events;
    this.#palette = readPalette(host);
    this.#painter = this.#openPainter();
    this.#overlay.canvas.className = "graph-overlay";
    host.append(this.#painter.canvas, this.#overlay.canvas);
    this.#gestures = new Gestures(host, this);
    this.#cleanups.push(watchTheme(() => this.#repalette()));
    const observer = new ResizeObserver(() => this.#resize());
    observer.observe(host);
    this.#cleanups.push(() => observer.disconnect());
    this.#resize();
  }

  get camera(): Camera {
    return this.#camera;
  }

  set camera(camera: Camera) {
    this.#steered = true;
    this.#followed = null;
    this.#travel = null;
    this.#camera = camera;
    this.point(-1);
    this.#askMoving();
  }

  get positions(): Float32Array {
    return this.#layout.positions;
  }

  get settled(): boolean {
    return this.#layout.settled;
  }

  /** Takes newer data or settings; camera, choice and the places of known nodes stay. */
  show(data: GraphData, settings: GraphSettings, network: Network, shown: Shown): void {
    this.point(-1);
    const renewed = data !== this.#data;
    const turned = settings.mode !== this.mode;
    if (data.scope !== this.#data.scope || turned) this.#steered = false;
    if (turned) this.#camera = facing(this.#camera, settings.mode);
    this.network = network;
    this.shown = shown;
    this.mode = settings.mode;
    this.#data = data;
    this.#painter.load(this.network, this.shown);
    if (renewed || turned) this.#layout.load(this.network, this.mode, this.#still.matches);
    this.#attend({ chosen: this.#indexOf(this.#chosenId) });
    this.#relight();
  }

  choose(index: number): void {
    this.#events.chosen(this.network.nodes[index]?.id ?? null);
  }

  open(index: number): void {
    const id = this.network.nodes[index]?.id;
    if (id !== undefined) this.#events.opened(id);
  }

  setChosen(id: string | null): void {
    this.#chosenId = id;
    this.#attend({ chosen: this.#indexOf(id) });
  }

  setFocused(focused: boolean): void {
    this.#attend({ focused });
  }

  /** Lights what fired; a key that was seen before keeps its place in time. */
  setPulses(pulses: readonly Pulse[]): void {
    this.#pulses = pulses;
    this.#relight();
  }

  /** Brings a node to the middle, near enough to be read; one that is not there yet or still moves, once it rests. */
  goTo(id: string): void {
    this.#followed = id;
    this.#follow();
  }

  /** Where a node is drawn, in CSS pixels from the corner of the drawing; null when it is not in front. */
  whereIs(id: string): { readonly x: number; readonly y: number } | null {
    const index = this.#indexOf(id);
    if (index < 0 || !this.projection.inFront(index)) return null;
    return { x: this.projection.screen[index * 2]!, y: this.projection.screen[index * 2 + 1]! };
  }

  fit(): void {
    this.#travelTo(this.#fitted());
  }

  /** Moves the picture so far that a node lies inside its rim. */
  reveal(index: number): void {
    const [x, y] = [this.projection.screen[index * 2]!, this.projection.screen[index * 2 + 1]!];
    const rim = Math.min(80, this.size.width / 4, this.size.height / 4);
    const inside = (value: number, end: number) => Math.min(end - rim, Math.max(rim, value)) - value;
    const [right, down] = [inside(x, this.size.width), inside(y, this.size.height)];
    if (!this.projection.inFront(index)) this.goTo(this.network.nodes[index]!.id);
    else if (right || down) this.#travelTo(panned(this.#camera, this.size, right, down));
  }

  hit(x: number, y: number, slop: number): number {
    return this.projection.hit(x, y, this.network.forms, slop);
  }

  point(index: number): void {
    if (index === this.#attention.pointed) return;
    this.#attend({ pointed: index });
    this.#host.classList.toggle("graph-pointing", index >= 0);
    const { screen } = this.projection;
    this.#events.pointed(this.network.nodes[index]?.id ?? null, screen[index * 2] ?? 0, screen[index * 2 + 1] ?? 0);
  }

  drag(index: number, right: number, down: number): void {
    const unit = worldPerPixel(this.#camera, this.size, this.projection.clip[index * 4 + 3]!);
    const [x = 0, y = 0, z = 0] = this.positions.subarray(index * 3, index * 3 + 3);
    const moved = shifted({ ...this.#camera, x, y, z }, right * unit, -down * unit);
    this.#layout.place(index, [moved.x, moved.y, moved.z]);
    this.#askMoving();
  }

  /** Asks for a picture at the next frame. */
  ask(): void {
    if (!this.#asked) this.#asked = requestAnimationFrame((now) => this.#picture(now));
  }

  stop(): void {
    cancelAnimationFrame(this.#asked);
    clearTimeout(this.#rest);
    this.#asked = -1;
    for (const cleanup of this.#cleanups) cleanup();
    this.#gestures.stop();
    this.#layout.stop();
    this.#painter.dispose();
    this.#painter.canvas.remove();
    this.#overlay.canvas.remove();
  }

  /** Asks for a picture of something that moves, and for a full one once it rests. */
  #askMoving(): void {
    this.#movedAt = performance.now();
    clearTimeout(this.#rest);
    if (this.#painter.software) this.#rest = setTimeout(() => this.ask(), REST_MS + 20);
    this.ask();
  }

  #picture(now: number): void {
    this.#asked = 0;
    if (this.#travel) this.#advance(now);
    this.projection.update(this.#camera, this.size, this.positions, this.shown.visible, this.network.halves);
    this.#emphasis ??= emphasisOf(this.network, this.shown, this.#attention);
    const quick = this.#painter.software && performance.now() - this.#movedAt < REST_MS;
    const edgeShare = quick ? quickShareFor(this.shown.edgeCount) : 1;
    const frame = {
      size: this.size,
      ratio: this.#ratio(),
      network: this.network,
      shown: this.shown,
      projection: this.projection,
      palette: this.#palette,
      stress: this.#emphasis.stress,
      fading: this.#emphasis.fading,
      edgeShare,
      edgeOpacity: edgeOpacityFor(this.shown.edgeCount * edgeShare) * (this.#emphasis.fading < 1 ? 0.4 : 1),
    };
    this.#painter.paint(frame);
    this.#overlay.paint(frame, highlightsOf(this.#emphasis, this.#attention, now));
    if (this.#travel || runs(this.#attention, now)) this.ask();
  }

  #advance(now: number): void {
    const { from, to, since } = this.#travel!;
    const share = Math.min(1, Math.max(0, (now - since) / TRAVEL_MS));
    this.#camera = between(from, to, 1 - (1 - share) ** 3);
    if (share >= 1) this.#travel = null;
    this.#askMoving();
  }

  #travelTo(to: Camera): void {
    this.#steered = true;
    this.point(-1);
    if (this.#still.matches) this.#camera = to;
    else this.#travel = { from: this.#camera, to, since: performance.now() };
    this.ask();
  }

  #follow(): void {
    const index = this.#indexOf(this.#followed);
    if (index < 0) return;
    const [x = 0, y = 0, z = 0] = this.positions.subarray(index * 3, index * 3 + 3);
    if (!this.#layout.settled) {
      this.#camera = { ...this.#camera, x, y, z };
      return;
    }
    this.#followed = null;
    this.#travelTo({ ...this.#camera, x, y, z, distance: Math.min(this.#camera.distance, 300) });
  }

  #laidOut(settled: boolean): void {
    if (!this.#steered && this.positions.length > 0) this.#camera = this.#fitted();
    if (this.#followed !== null) this.#follow();
    if (settled && this.network.nodes.length > 0) this.#steered = true;
    this.#host.dataset["settled"] = String(settled);
    if (settled) this.ask();
    else this.#askMoving();
  }

  #fitted(): Camera {
    return fitted(this.#camera, this.size, this.positions, this.shown.visible);
  }

  #attend(change: Partial<Attention>): void {
    this.#attention = { ...this.#attention, ...change, still: this.#still.matches };
    this.#emphasis = null;
    this.ask();
  }

  #relight(): void {
    const now = performance.now();
    const pulses = this.#pulses.map((pulse) => {
      if (!this.#seen.has(pulse.key)) this.#seen.set(pulse.key, now);
      return { fired: firedOf(pulse, this.network, this.shown), since: this.#seen.get(pulse.key)! };
    });
    this.#attend({ pulses });
  }

  #indexOf(id: string | null): number {
    const index = id === null ? -1 : (this.network.indexOf.get(id) ?? -1);
    return this.shown.visible[index] ? index : -1;
  }

  #resize(): void {
    const { width, height } = this.#host.getBoundingClientRect();
    this.size = { width: Math.max(1, width), height: Math.max(1, height) };
    if (!this.#steered && this.positions.length > 0) this.#camera = this.#fitted();
    this.ask();
  }

  #ratio(): number {
    return this.#painter.software ? 1 : Math.min(2, devicePixelRatio || 1);
  }

  #repalette(): void {
    this.#palette = readPalette(this.#host);
    this.ask();
  }

  /** WebGL when there is one; when its context is lost, the 2D canvas takes its place with the same picture. */
  #openPainter(): Painter {
    const painter = glPainter() ?? new CanvasPainter();
    this.#host.dataset["painter"] = painter.kind;
    if (painter.kind === "webgl") painter.canvas.addEventListener("webglcontextlost", () => this.#lost());
    return painter;
  }

  #lost(): void {
    if (this.#asked < 0) return;
    const painter = new CanvasPainter();
    this.#painter.canvas.replaceWith(painter.canvas);
    this.#painter = painter;
    this.#host.dataset["painter"] = painter.kind;
    painter.load(this.network, this.shown);
    this.ask();
  }
}

/** A flat drawing is seen from the front, a deep one from a little aside. */
function facing(camera: Camera, mode: Mode): Camera {
  return mode === "2d" ? { ...camera, yaw: 0, pitch: 0 } : { ...camera, yaw: START.yaw, pitch: START.pitch };
}
