import { expect, test } from "vitest";
import { networkOf } from "../network";
import { startOf } from "../placing";
import { entity, memory, scopeOf } from "./scopes";

const NETWORK = networkOf(scopeOf([entity("e"), memory("a"), memory("new"), memory("alone")], "ABOUT a e", "ABOUT new e"));

test("known nodes start exactly where they were, new ones near what they link to", () => {
  const places = new Map([
    ["e", [100, 50, -20] as const],
    ["a", [130, 50, -20] as const],
  ]);
  const { positions, fresh } = startOf(NETWORK, places, "3d");
  expect([...positions.subarray(0, 6)]).toEqual([100, 50, -20, 130, 50, -20]);
  expect(fresh).toEqual([2, 3]);
  const [x, y, z] = [...positions.subarray(6, 9)].map((value, axis) => value - [100, 50, -20][axis]!);
  expect(Math.hypot(x!, y!, z!)).toBeLessThan(30);
});

test("a flat drawing starts flat, and no two nodes start at one place", () => {
  for (const mode of ["2d", "3d"] as const) {
    const { positions } = startOf(NETWORK, new Map(), mode);
    const places = [0, 1, 2, 3].map((index) => positions.subarray(index * 3, index * 3 + 3).join());
    expect(new Set(places).size).toBe(4);
    if (mode === "2d") expect([2, 5, 8, 11].map((at) => positions[at])).toEqual([0, 0, 0, 0]);
  }
});
