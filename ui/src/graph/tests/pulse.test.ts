import { expect, test } from "vitest";
import { networkOf, shownOf } from "../network";
import { firedOf, headOf, STEP_MS } from "../pulse";
import { DEFAULT_SETTINGS } from "../types";
import { entity, memory, scopeOf } from "./scopes";

const NETWORK = networkOf(
  scopeOf([memory("a"), memory("b"), memory("c"), entity("e"), memory("far")], "DERIVED_FROM a b", "ABOUT a e", "ABOUT c e"),
);
const SHOWN = shownOf(NETWORK, DEFAULT_SETTINGS);

test("a pulse walks the edge between, or the one node that links both", () => {
  const fired = firedOf({ key: "1", fired: ["a", "b", "c", "far"] }, NETWORK, SHOWN);
  expect(fired).toEqual({ nodes: [0, 1, 2, 4], ways: [[0, 1], [0, 3, 2]], steps: 2 });
});

test("given paths are walked as they are, and left out where a node is not shown", () => {
  const pulse = { key: "1", fired: ["a"], paths: [["b", "a", "e"], ["a", "gone"]] };
  expect(firedOf(pulse, NETWORK, SHOWN)).toEqual({ nodes: [0], ways: [[1, 0, 3]], steps: 2 });
});

test("what is hidden does not fire", () => {
  const shown = shownOf(NETWORK, { ...DEFAULT_SETTINGS, showOrphans: false });
  expect(firedOf({ key: "1", fired: ["far"] }, NETWORK, shown).nodes).toEqual([]);
});

test("the bead goes step by step and is gone when it arrives", () => {
  const way = [0, 3, 2];
  expect(headOf(way, 0)).toEqual({ step: 0, share: 0 });
  expect(headOf(way, 1.5 * STEP_MS)).toEqual({ step: 1, share: 0.5 });
  expect(headOf(way, 2 * STEP_MS)).toBeNull();
  expect(headOf(way, Number.POSITIVE_INFINITY)).toBeNull();
});
