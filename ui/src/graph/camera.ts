/** An orbiting camera: where it looks from, and how it moves. */

const FIELD_OF_VIEW = (45 * Math.PI) / 180;
export const FOCAL = 1 / Math.tan(FIELD_OF_VIEW / 2);
const NEAREST = 12;
const FARTHEST = 40_000;
const STEEPEST = Math.PI / 2 - 0.02;

/** `yaw` and `pitch` in radians, both 0 in a flat drawing; `distance` from the target in world units. */
export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly distance: number;
  readonly yaw: number;
  readonly pitch: number;
}

/** Width and height in CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export const START: Camera = { x: 0, y: 0, z: 0, distance: 600, yaw: 0.5, pitch: 0.35 };

/** Pixels a world unit takes at the target. */
export function scaleAt(camera: Camera, size: Size): number {
  return (FOCAL * size.height) / 2 / camera.distance;
}

/** Moves the picture by pixels to the right and down. */
export function panned(camera: Camera, size: Size, right: number, down: number): Camera {
  const scale = scaleAt(camera, size);
  return shifted(camera, -right / scale, down / scale);
}

/** The point of the world that `right` and `up`, in world units, lie from the target in the plane of the screen. */
export function shifted(camera: Camera, right: number, up: number): Camera {
  const { yaw, pitch } = camera;
  return {
    ...camera,
    x: camera.x + Math.cos(yaw) * right - Math.sin(pitch) * Math.sin(yaw) * up,
    y: camera.y + Math.cos(pitch) * up,
    z: camera.z - Math.sin(yaw) * right - Math.sin(pitch) * Math.cos(yaw) * up,
  };
}

export function turned(camera: Camera, yaw: number, pitch: number): Camera {
  return { ...camera, yaw: camera.yaw + yaw, pitch: clamp(camera.pitch + pitch, -STEEPEST, STEEPEST) };
}

/** Multiplies the distance by `factor` and keeps what lies under the screen point (x, y) there. */
export function zoomed(camera: Camera, size: Size, factor: number, x = size.width / 2, y = size.height / 2): Camera {
  const distance = clamp(camera.distance * factor, NEAREST, FARTHEST);
  const before = scaleAt(camera, size);
  const after = scaleAt({ ...camera, distance }, size);
  const gain = 1 / before - 1 / after;
  return { ...shifted(camera, (x - size.width / 2) * gain, (size.height / 2 - y) * gain), distance };
}

/** Shows every visible point, or the start when there is none; direction is kept. */
export function fitted(camera: Camera, size: Size, positions: Float32Array, visible: Uint8Array): Camera {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let index = 0; index < visible.length; index++) {
    if (!visible[index]) continue;
    for (let axis = 0; axis < 3; axis++) {
      const value = positions[index * 3 + axis]!;
      low[axis] = Math.min(low[axis]!, value);
      high[axis] = Math.max(high[axis]!, value);
    }
  }
  if (low[0] === Infinity) return camera;
  const [x, y, z] = low.map((value, axis) => (value + high[axis]!) / 2) as [number, number, number];
  const centred = { ...camera, x, y, z };
  return { ...centred, distance: clamp(distanceFor(centred, size, positions, visible), 90, FARTHEST) };
}

/** The distance at which the outermost visible point still lies within the margin. */
function distanceFor(camera: Camera, size: Size, positions: Float32Array, visible: Uint8Array): number {
  const margin = 0.88;
  const wide = (FOCAL * size.height) / Math.max(1, size.width) / margin;
  let distance = 0;
  const axes = axesOf(camera);
  for (let index = 0; index < visible.length; index++) {
    if (!visible[index]) continue;
    const [right, up, toward] = axes.map(
      (axis) =>
        axis[0] * (positions[index * 3]! - camera.x) +
        axis[1] * (positions[index * 3 + 1]! - camera.y) +
        axis[2] * (positions[index * 3 + 2]! - camera.z),
    ) as [number, number, number];
    distance = Math.max(distance, Math.abs(right) * wide + toward, (Math.abs(up) * FOCAL) / margin + toward);
  }
  return distance;
}

type Axis = readonly [number, number, number];

/** Unit vectors to the right, up, and toward the viewer. */
export function axesOf({ yaw, pitch }: Camera): readonly [Axis, Axis, Axis] {
  const [sinYaw, cosYaw, sinPitch, cosPitch] = [Math.sin(yaw), Math.cos(yaw), Math.sin(pitch), Math.cos(pitch)];
  return [
    [cosYaw, 0, -sinYaw],
    [-sinPitch * sinYaw, cosPitch, -sinPitch * cosYaw],
    [cosPitch * sinYaw, sinPitch, cosPitch * cosYaw],
  ];
}

/** Between two cameras, `share` 0 to 1. */
export function between(from: Camera, to: Camera, share: number): Camera {
  const mix = (a: number, b: number) => a + (b - a) * share;
  return {
    x: mix(from.x, to.x),
    y: mix(from.y, to.y),
    z: mix(from.z, to.z),
    distance: from.distance * (to.distance / from.distance) ** share,
    yaw: mix(from.yaw, to.yaw),
    pitch: mix(from.pitch, to.pitch),
  };
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
