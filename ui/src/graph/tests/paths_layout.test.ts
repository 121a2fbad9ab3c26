import { expect, test } from "vitest";
import { TRACE } from "../demo/synthetic";
import { pathTree } from "../paths_layout";

test("shared beginnings are drawn once and every path ends at its own spot", () => {
  const tree = pathTree(TRACE);
  expect(tree.columns).toBe(4);
  expect(tree.rows).toBe(4);
  expect(tree.spots.map((spot) => spot.node.id).toSorted()).toEqual(["1", "2", "3", "4", "5", "5", "6", "e1"]);
  expect(tree.steps).toHaveLength(7);
});

test("no two spots share a place, and a step leads one column to the right", () => {
  const tree = pathTree(TRACE);
  const places = tree.spots.map(({ column, row }) => `${column} ${row}`);
  expect(new Set(places).size).toBe(places.length);
  for (const { from, to } of tree.steps) expect(to.column).toBe(from.column + 1);
});

test("a step knows the stored direction whichever way it is walked", () => {
  const forward = Object.fromEntries(pathTree(TRACE).steps.map(({ from, to, forward }) => [`${from.node.id}${to.node.id}`, forward]));
  expect(forward).toEqual({ "12": true, "23": false, "24": true, "15": false, "1e1": true, "e15": false, "56": false });
});

test("a declared relation has a family of its own and keeps its names", () => {
  const step = pathTree(TRACE).steps.find(({ to }) => to.key.includes("RELATES"));
  expect(step).toMatchObject({ family: "RELATES", relation: "analogous_to, supports", forward: false });
});

test("no paths make an empty tree", () => {
  expect(pathTree({ ...TRACE, paths: [] })).toEqual({ spots: [], steps: [], columns: 0, rows: 0 });
});
