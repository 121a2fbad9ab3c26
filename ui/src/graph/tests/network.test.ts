import { expect, test } from "vitest";
import { arrowsOf, FAMILY_LOOKS } from "../families";
import { networkOf, shownOf } from "../network";
import { DEFAULT_SETTINGS, FAMILIES } from "../types";
import { standing } from "../words";
import { entity, memory, scopeOf } from "./scopes";

const DATA = scopeOf([memory("a"), memory("b"), entity("e"), memory("lone")], "ABOUT a e", "DERIVED_FROM b a");

test("orphans are the nodes that no shown edge touches", () => {
  const network = networkOf(DATA);
  const without = (families: typeof DEFAULT_SETTINGS.families) =>
    [...shownOf(network, { ...DEFAULT_SETTINGS, showOrphans: false, families }).visible];
  expect(without(DEFAULT_SETTINGS.families)).toEqual([1, 1, 1, 0]);
  expect(without(["DERIVED_FROM"])).toEqual([1, 1, 0, 0]);
  expect(without([])).toEqual([0, 0, 0, 0]);
});

test("toggling a family changes neither the nodes' indices nor their sizes", () => {
  const network = networkOf(DATA);
  const shown = shownOf(network, { ...DEFAULT_SETTINGS, families: ["ABOUT"] });
  expect(shown.count).toBe(4);
  expect(shown.edgeCount).toBe(1);
  expect(shown.neighbours[0]).toEqual([{ index: 2, family: "ABOUT", relation: "", outward: true }]);
  expect(shown.neighbours[2]).toEqual([{ index: 0, family: "ABOUT", relation: "", outward: false }]);
});

test("edges to nodes that are not there, or of an unknown type, are left out", () => {
  const network = networkOf(scopeOf([memory("a"), memory("b")], "ABOUT a gone", "KNOWS a b", "CONTRADICTS a b"));
  expect(shownOf(network, DEFAULT_SETTINGS).edgeCount).toBe(1);
});

test("each end of a declared relation knows its name, whichever families are shown beside it", () => {
  const data = scopeOf([memory("a"), memory("b"), memory("c")], "RELATES a gone led_to", "DERIVED_FROM a b", "RELATES b a supports", "RELATES a c");
  for (const families of [FAMILIES, ["RELATES"]] as const) {
    const { neighbours } = shownOf(networkOf(data), { ...DEFAULT_SETTINGS, families });
    expect(neighbours[0]!.filter((one) => one.family === "RELATES").map(standing)).toEqual(["supported by", "related to"]);
    expect(neighbours[1]!.filter((one) => one.family === "RELATES").map(standing)).toEqual(["supports"]);
  }
});

test("an edge has the arrows of its family, and none where what was declared has no direction", () => {
  expect(arrowsOf("RELATES", "supports")).toBe("end");
  expect(arrowsOf("RELATES", "analogous_to")).toBe("none");
  expect(FAMILIES.filter((family) => family !== "RELATES").map((family) => arrowsOf(family, ""))).toEqual(["none", "end", "both", "end", "end"]);
});

test("no two families look alike", () => {
  const looks = FAMILIES.map((family) => `${FAMILY_LOOKS[family].tone} ${FAMILY_LOOKS[family].dash.join()}`);
  expect(new Set(looks).size).toBe(FAMILIES.length);
});

test("status and label decide the form, trust only the tone", () => {
  const nodes = [memory("a"), memory("b", { status: "contradicted", trust: 0.6 }), memory("c", { status: "superseded" }), entity("e")];
  const network = networkOf(scopeOf(nodes));
  expect([...network.forms]).toEqual([0, 1, 2, 3]);
  const lowTrust = networkOf(scopeOf([memory("a", { trust: 0.05 })]));
  expect(lowTrust.halves[0]).toBe(network.halves[0]);
  expect(lowTrust.tones[0]).not.toBe(network.tones[0]);
});
