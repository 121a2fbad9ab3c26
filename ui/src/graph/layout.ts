/** Positions of a network: kept by id through every change of data, settled by the layout worker. */

import type { Network } from "./network";
import { startOf } from "./placing";
import { FAMILIES, type Mode } from "./types";

/** `moving[i]` 0 keeps a node where it is; `heat` is the simulation's first alpha, 0 to 1. */
export interface LayoutRequest {
  readonly run: number;
  readonly positions: Float32Array;
  readonly links: Uint32Array;
  readonly moving: Uint8Array;
  readonly flat: boolean;
  readonly heat: number;
  /** Post the settled positions only. */
  readonly quiet: boolean;
}

export interface LayoutReply {
  readonly run: number;
  readonly positions: Float32Array;
  readonly settled: boolean;
}

/** Past this share of new nodes the whole drawing is laid out anew. */
const REBUILT = 0.5;

/** `moved` is called after positions changed, `settled` true at the end of a run. */
export class Layout {
  positions: Float32Array = new Float32Array(0);
  settled = true;

  readonly #worker: Worker;
  readonly #moved: (settled: boolean) => void;
  readonly #places: Record<Mode, Map<string, [number, number, number]>> = { "2d": new Map(), "3d": new Map() };
  readonly #placed: Record<Mode, Set<string>> = { "2d": new Set(), "3d": new Set() };
  #network: Network | null = null;
  #mode: Mode = "3d";
  #run = 0;
  /** Index in the drawing of each body of the running layout, or null for all of them in order. */
  #subset: Uint32Array | null = null;

  constructor(moved: (settled: boolean) => void) {
    this.#moved = moved;
    this.#worker = new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" });
    this.#worker.onmessage = ({ data }: MessageEvent<LayoutReply>) => this.#take(data);
  }

  /**
   * Lays out `network`. Nodes that were settled stay exactly where they are and only new ones move, unless more than half
   * of the drawing is new; what the person placed always stays.
   */
  load(network: Network, mode: Mode, quiet: boolean): void {
    this.#remember();
    const interrupted = !this.settled && this.#mode === mode;
    this.#network = network;
    this.#mode = mode;
    const start = startOf(network, this.#places[mode], mode);
    this.positions = start.positions;
    const whole = interrupted || start.fresh.length > network.nodes.length * REBUILT;
    if (network.nodes.length === 0 || (!whole && start.fresh.length === 0)) {
      this.#end();
      return;
    }
    this.settled = false;
    if (whole) this.#layAll(network, quiet, interrupted);
    else this.#layFresh(network, start.fresh, quiet);
  }

  /** Puts a node where the person wants it, for good. */
  place(index: number, position: readonly [number, number, number]): void {
    const id = this.#network?.nodes[index]?.id;
    if (id === undefined) return;
    this.positions.set(position, index * 3);
    this.#placed[this.#mode].add(id);
    this.#places[this.#mode].set(id, [...position]);
  }

  stop(): void {
    this.#worker.terminate();
  }

  #layAll(network: Network, quiet: boolean, interrupted: boolean): void {
    this.#subset = null;
    const placed = this.#placed[this.#mode];
    this.#send({
      positions: this.positions.slice(),
      links: joined(network, (index) => index),
      moving: Uint8Array.from(network.nodes, (node) => (placed.has(node.id) ? 0 : 1)),
      heat: interrupted ? 0.6 : 1,
      quiet,
    });
  }

  /** Only the new nodes and what they touch enter the simulation; what they touch holds still. */
  #layFresh(network: Network, fresh: readonly number[], quiet: boolean): void {
    const moving = new Set(fresh);
    const subset = new Set(fresh);
    for (const family of FAMILIES) {
      const pairs = network.links[family];
      for (let at = 0; at < pairs.length; at += 2) {
        if (moving.has(pairs[at]!)) subset.add(pairs[at + 1]!);
        if (moving.has(pairs[at + 1]!)) subset.add(pairs[at]!);
      }
    }
    const bodies = Uint32Array.from(subset);
    const bodyOf = new Map([...bodies].map((index, body) => [index, body]));
    this.#subset = bodies;
    this.#send({
      positions: Float32Array.from(gathered(this.positions, bodies)),
      links: joined(network, (index) => bodyOf.get(index)),
      moving: Uint8Array.from(bodies, (index) => (moving.has(index) ? 1 : 0)),
      heat: 0.4,
      quiet,
    });
  }

  #send(request: Omit<LayoutRequest, "run" | "flat">): void {
    const message: LayoutRequest = { ...request, run: ++this.#run, flat: this.#mode === "2d" };
    this.#worker.postMessage(message);
  }

  #take({ run, positions, settled }: LayoutReply): void {
    if (run !== this.#run || this.settled) return;
    const bodies = positions.length / 3;
    const placed = this.#placed[this.#mode];
    for (let body = 0; body < bodies; body++) {
      const index = this.#subset ? this.#subset[body]! : body;
      const id = this.#network?.nodes[index]?.id ?? "";
      if (!placed.has(id)) this.positions.set(positions.subarray(body * 3, body * 3 + 3), index * 3);
    }
    if (settled) this.#end();
    else this.#moved(false);
  }

  #end(): void {
    this.#run++;
    this.settled = true;
    this.#remember();
    this.#moved(true);
  }

  #remember(): void {
    const places = this.#places[this.#mode];
    for (const [index, node] of (this.#network?.nodes ?? []).entries()) {
      const [x = 0, y = 0, z = 0] = this.positions.subarray(index * 3, index * 3 + 3);
      places.set(node.id, [x, y, z]);
    }
  }
}

function* gathered(positions: Float32Array, indices: Uint32Array): Generator<number> {
  for (const index of indices) yield* positions.subarray(index * 3, index * 3 + 3);
}

/** Pairs of every family, renamed by `bodyOf`; pairs with an end that has no name there are left out. */
function joined(network: Network, bodyOf: (index: number) => number | undefined): Uint32Array {
  const pairs: number[] = [];
  for (const family of FAMILIES) {
    const links = network.links[family];
    for (let at = 0; at < links.length; at += 2) {
      const [start, end] = [bodyOf(links[at]!), bodyOf(links[at + 1]!)];
      if (start !== undefined && end !== undefined) pairs.push(start, end);
    }
  }
  return Uint32Array.from(pairs);
}
