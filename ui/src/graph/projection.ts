/** Where nodes fall on the screen, in which order they are painted, and which of them lies under a point. */

import { axesOf, type Camera, clamp, FOCAL, type Size } from "./camera";
import { FORM } from "./families";

const BUCKETS = 1024;

/** Half width of a memory's rectangle over its half height. */
export const ASPECT = 1.35;
/** Nodes are drawn between these half heights, in CSS pixels, however far or near. */
export const SMALLEST = 1.8;
export const LARGEST = 26;

/**
 * Where each node falls. `clip` has four numbers a node: clip x, clip y, half height in pixels, depth (positive in front);
 * `screen` two: x and y in pixels. `order` holds the visible nodes in front of the camera, farthest first: the order in which
 * they are painted, and the reverse of the order in which they are hit.
 */
export class Projection {
  clip = new Float32Array(0);
  screen = new Float32Array(0);
  order = new Uint32Array(0);
  drawn = 0;
  nearest = 0;
  farthest = 1;

  #buckets = new Uint32Array(BUCKETS + 1);
  #bucketOf = new Uint16Array(0);

  update(camera: Camera, size: Size, positions: Float32Array, visible: Uint8Array, halves: Float32Array): void {
    const count = visible.length;
    if (this.clip.length !== count * 4) this.#resize(count);
    const [right, up, toward] = axesOf(camera);
    const pixels = (FOCAL * size.height) / 2;
    const wide = (FOCAL * size.height) / Math.max(1, size.width);
    this.nearest = Infinity;
    this.farthest = 0;
    for (let index = 0; index < count; index++) {
      const x = positions[index * 3]! - camera.x;
      const y = positions[index * 3 + 1]! - camera.y;
      const z = positions[index * 3 + 2]! - camera.z;
      const across = right[0] * x + right[2] * z;
      const above = up[0] * x + up[1] * y + up[2] * z;
      // Rounded as it is kept below, so that the farthest node lies at `farthest` and not behind it.
      const depth = Math.fround(camera.distance - (toward[0] * x + toward[1] * y + toward[2] * z));
      const scale = pixels / depth;
      this.clip[index * 4] = across * wide;
      this.clip[index * 4 + 1] = above * FOCAL;
      this.clip[index * 4 + 2] = clamp(halves[index]! * scale, SMALLEST, LARGEST);
      this.clip[index * 4 + 3] = depth;
      this.screen[index * 2] = size.width / 2 + across * scale;
      this.screen[index * 2 + 1] = size.height / 2 - above * scale;
      if (visible[index] && depth > 1) {
        this.nearest = Math.min(this.nearest, depth);
        this.farthest = Math.max(this.farthest, depth);
      }
    }
    this.#sort(visible);
  }

  /** Whether the node lies in front of the camera. */
  inFront(index: number): boolean {
    return this.clip[index * 4 + 3]! > 1;
  }

  /** The foremost node whose drawn shape holds the point, or within `slop` pixels of it the closest; -1 when there is none. */
  hit(x: number, y: number, forms: Uint8Array, slop = 0): number {
    let closest = -1;
    let least = slop;
    for (let at = this.drawn - 1; at >= 0; at--) {
      const index = this.order[at]!;
      const away = outside(
        forms[index] === FORM.entity,
        x - this.screen[index * 2]!,
        y - this.screen[index * 2 + 1]!,
        this.clip[index * 4 + 2]!,
      );
      if (away <= 0) return index;
      if (away < least) [closest, least] = [index, away];
    }
    return closest;
  }

  #resize(count: number): void {
    this.clip = new Float32Array(count * 4);
    this.screen = new Float32Array(count * 2);
    this.order = new Uint32Array(count);
    this.#bucketOf = new Uint16Array(count);
  }

  /** Counting sort by depth; nodes of one depth keep the order of their indices. */
  #sort(visible: Uint8Array): void {
    const spread = Math.max(1e-6, this.farthest - this.nearest);
    this.#buckets.fill(0);
    for (let index = 0; index < visible.length; index++) {
      if (!visible[index] || !this.inFront(index)) continue;
      const share = (this.farthest - this.clip[index * 4 + 3]!) / spread;
      const bucket = Math.min(BUCKETS - 1, Math.floor(share * BUCKETS));
      this.#bucketOf[index] = bucket;
      this.#buckets[bucket + 1]!++;
    }
    for (let bucket = 0; bucket < BUCKETS; bucket++) this.#buckets[bucket + 1]! += this.#buckets[bucket]!;
    this.drawn = this.#buckets[BUCKETS]!;
    for (let index = 0; index < visible.length; index++) {
      if (visible[index] && this.inFront(index)) this.order[this.#buckets[this.#bucketOf[index]!]!++] = index;
    }
  }
}

/** Pixels by which a point lies outside a node of half height `half` at the origin; 0 or less inside. */
export function outside(round: boolean, x: number, y: number, half: number): number {
  if (round) return Math.hypot(x, y) - half;
  const corner = half * 0.3;
  const beyondX = Math.abs(x) - (half * ASPECT - corner);
  const beyondY = Math.abs(y) - (half - corner);
  return Math.hypot(Math.max(beyondX, 0), Math.max(beyondY, 0)) + Math.min(Math.max(beyondX, beyondY), 0) - corner;
}
