import { expect, test } from "vitest";
import { networkOf, shownOf } from "../network";
import { closestTo, neighbourThatWay, nextNeighbour } from "../steering";
import { DEFAULT_SETTINGS } from "../types";
import { entity, memory, scopeOf } from "./scopes";

const SHOWN = shownOf(
  networkOf(scopeOf([entity("e"), memory("right"), memory("up"), memory("other")], "ABOUT right e", "ABOUT up e")),
  DEFAULT_SETTINGS,
);
const SCREEN = Float32Array.of(100, 100, 180, 110, 90, 20, 101, 101);

test("an arrow goes to the neighbour that way and to no other node", () => {
  expect(neighbourThatWay(SHOWN, SCREEN, 0, "ArrowRight")).toBe(1);
  expect(neighbourThatWay(SHOWN, SCREEN, 0, "ArrowUp")).toBe(2);
  expect(neighbourThatWay(SHOWN, SCREEN, 0, "ArrowDown")).toBe(-1);
  expect(neighbourThatWay(SHOWN, SCREEN, 1, "ArrowLeft")).toBe(0);
});

test("brackets reach every neighbour in turn, both ways around", () => {
  expect(nextNeighbour(SHOWN, 0, -1, false)).toBe(1);
  expect(nextNeighbour(SHOWN, 0, 1, false)).toBe(2);
  expect(nextNeighbour(SHOWN, 0, 2, false)).toBe(1);
  expect(nextNeighbour(SHOWN, 0, 1, true)).toBe(2);
  expect(nextNeighbour(SHOWN, 3, -1, false)).toBe(-1);
});

test("the first step enters at the node closest to the middle", () => {
  expect(closestTo(SHOWN, SCREEN, 105, 105)).toBe(3);
});
