import { describe, expect, it } from "vitest";
import type { GraphNode, GraphView } from "../api/types";
import type { GraphEdge } from "../graph/types";
import { merged } from "./drawing";

const memory = (id: string, trust = 1, status = "active"): GraphNode => ({ id, label: "Memory", text: `text ${id}`, status, trust });
const entity = (id: string): GraphNode => ({ id, label: "Entity", text: id, status: "", trust: null });
const edge = (type: string, start: string, end: string): GraphEdge => ({ id: `${type} ${start} ${end}`, type, start, end, relation: "" });
const view = (revision: number, nodes: readonly GraphNode[], edges: readonly GraphEdge[]): GraphView => ({
  scope: "s",
  revision,
  nodes,
  edges,
  total_memories: nodes.length,
});
const last = view(2, [memory("2"), memory("1"), entity("cache")], [edge("ABOUT", "1", "cache"), edge("DERIVED_FROM", "2", "1")]);

describe("a drawing with a change laid over it", () => {
  it("takes new memories first, known ones where they stand, and each edge once", () => {
    const change = view(3, [memory("3"), memory("1", 0.6, "contradicted"), entity("cache")], [edge("CONTRADICTS", "3", "1"), edge("ABOUT", "1", "cache")]);
    const next = merged(last, change, 10);
    expect(next?.nodes).toEqual([memory("3"), memory("2"), memory("1", 0.6, "contradicted"), entity("cache")]);
    expect(next?.edges.map((one) => one.id)).toEqual(["ABOUT 1 cache", "DERIVED_FROM 2 1", "CONTRADICTS 3 1"]);
    expect(next?.revision).toBe(3);
  });

  it("leaves out what was forgotten, its edges and the entity that nothing is about any more", () => {
    const next = merged(last, view(3, [memory("1", 1, "forgotten"), entity("cache")], [edge("ABOUT", "1", "cache")]), 10);
    expect(next?.nodes).toEqual([memory("2")]);
    expect(next?.edges).toEqual([]);
  });

  it("holds at most as many memories as asked for, the newest", () => {
    const next = merged(last, view(3, [memory("3")], [edge("DERIVED_FROM", "3", "2")]), 2);
    expect(next?.nodes.map((one) => one.id)).toEqual(["3", "2"]);
    expect(next?.edges.map((one) => one.id)).toEqual(["DERIVED_FROM 3 2"]);
  });

  it("leaves out the relations that a changed memory has no more, and no others", () => {
    const related = { ...last, edges: [...last.edges, edge("RELATES", "2", "1"), edge("RELATES", "1", "2")] };
    const next = merged(related, view(3, [memory("2")], [edge("DERIVED_FROM", "2", "1")]), 10);
    expect(next?.edges.map((one) => one.id)).toEqual(["ABOUT 1 cache", "DERIVED_FROM 2 1", "RELATES 1 2"]);
    const again = next && merged(next, view(4, [memory("2")], [edge("DERIVED_FROM", "2", "1"), edge("RELATES", "2", "1")]), 10);
    expect(again?.edges.map((one) => one.id)).toContain("RELATES 2 1");
  });

  it("is the same object when nothing changed, and nothing when the scope began anew", () => {
    expect(merged(last, view(2, [], []), 10)).toBe(last);
    expect(merged(last, view(1, [memory("9")], []), 10)).toBeNull();
  });
});
