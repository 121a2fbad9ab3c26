import { expect, test } from "vitest";
import { fitted, panned, START, turned, zoomed } from "../camera";
import { FORM } from "../families";
import { outside, Projection } from "../projection";

const SIZE = { width: 800, height: 600 };
const FLAT = { ...START, yaw: 0, pitch: 0 };

function projected(camera: typeof START, points: readonly number[]): Projection {
  const count = points.length / 3;
  const projection = new Projection();
  projection.update(camera, SIZE, Float32Array.from(points), new Uint8Array(count).fill(1), new Float32Array(count).fill(4));
  return projection;
}

test("what the camera looks at falls on the middle, from every side", () => {
  for (const camera of [FLAT, START, turned(START, 2, -1)]) {
    const { screen } = projected({ ...camera, x: 5, y: -7, z: 11 }, [5, -7, 11]);
    expect(screen[0]).toBeCloseTo(400, 3);
    expect(screen[1]).toBeCloseTo(300, 3);
  }
});

test("moving the picture moves the target's plane by exactly those pixels", () => {
  const camera = turned(START, 0.7, 0.4);
  const { screen } = projected(panned(camera, SIZE, 30, -12), [0, 0, 0]);
  expect(screen[0]).toBeCloseTo(430, 2);
  expect(screen[1]).toBeCloseTo(288, 2);
});

test("what lies under the pointer stays there while nearing", () => {
  const before = projected(FLAT, [40, 25, 0]).screen;
  const after = projected(zoomed(FLAT, SIZE, 0.5, before[0], before[1]), [40, 25, 0]).screen;
  expect(after[0]).toBeCloseTo(before[0]!, 2);
  expect(after[1]).toBeCloseTo(before[1]!, 2);
});

test("the foremost of two overlapping nodes is hit", () => {
  const projection = projected(FLAT, [0, 0, 0, 0, 0, 100, 0, 0, -100]);
  expect([...projection.order.subarray(0, projection.drawn)]).toEqual([2, 0, 1]);
  expect(projection.hit(400, 300, new Uint8Array(3))).toBe(1);
});

test("what is behind the camera is neither drawn nor hit", () => {
  const projection = projected(FLAT, [0, 0, FLAT.distance + 50]);
  expect(projection.drawn).toBe(0);
  expect(projection.hit(400, 300, new Uint8Array(1), 1_000)).toBe(-1);
});

test("the corner of a round node's square is outside, that of a rectangle's side inside", () => {
  expect(outside(true, 8, 8, 10)).toBeGreaterThan(0);
  expect(outside(false, 8, 8, 10)).toBeLessThan(0);
  expect(outside(false, 13, 0, 10)).toBeLessThan(0);
  expect(outside(false, 14, 0, 10)).toBeGreaterThan(0);
  expect(outside(false, 13.4, 9.9, 10)).toBeGreaterThan(0);
});

test("a finger hits the closest node within its reach, a pointer only what it touches", () => {
  const projection = projected(FLAT, [0, 0, 0]);
  const beside = 400 + projection.clip[2]! + 6;
  const round = Uint8Array.of(FORM.entity);
  expect(projection.hit(beside, 300, round)).toBe(-1);
  expect(projection.hit(beside, 300, round, 14)).toBe(0);
});

test("everything is inside the picture after it was fitted", () => {
  const points = Array.from({ length: 300 }, (_, at) => 400 * Math.sin(at * at));
  const visible = new Uint8Array(100).fill(1);
  for (const camera of [FLAT, turned(START, 1, 0.9)]) {
    const { screen, drawn } = projected(fitted(camera, SIZE, Float32Array.from(points), visible), points);
    expect(drawn).toBe(100);
    for (let at = 0; at < 100; at++) {
      expect(Math.abs(screen[at * 2]! - 400)).toBeLessThan(400);
      expect(Math.abs(screen[at * 2 + 1]! - 300)).toBeLessThan(300);
    }
  }
});

test("every node in front is drawn once, also where all lie at one depth", () => {
  for (const camera of [FLAT, { ...FLAT, distance: 733.3333333 }, { ...START, distance: 421.1 }]) {
    const { order, drawn } = projected(camera, [0, 0, 0, 17.3, 5.1, 0, -40.7, 9.9, 0, 3.3, -71.2, 0]);
    expect([...order.subarray(0, drawn)].sort()).toEqual([0, 1, 2, 3]);
  }
});
