import { expect, test } from "vitest";
import { chainTrust } from "./toy";

test("a contradiction costs the memory most and its conclusions less, two hops down", () => {
  expect(chainTrust(4, [0])).toEqual([0.6, 0.85, 0.7, 1]);
});

test("doubt travels down only, and adds up", () => {
  expect(chainTrust(3, [1])).toEqual([1, 0.6, 0.85]);
  expect(chainTrust(3, [0, 1])).toEqual([0.6, 0.45, 0.55]);
});

test("nothing falls below the floor", () => {
  expect(chainTrust(1, [0, 0, 0])).toEqual([0.05]);
});
