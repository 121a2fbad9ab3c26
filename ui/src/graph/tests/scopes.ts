/** Small graphs for tests. */

import type { GraphData, GraphNode } from "../types";

export function memory(id: string, change: Partial<GraphNode> = {}): GraphNode {
  return { id, label: "Memory", text: `memory ${id}`, status: "active", trust: 1, ...change };
}

export function entity(id: string): GraphNode {
  return { id, label: "Entity", text: `entity ${id}`, status: "", trust: null };
}

/** Edges as `type start end`, declared relations with their name after that. */
export function scopeOf(nodes: readonly GraphNode[], ...edges: readonly string[]): GraphData {
  return {
    scope: "test",
    revision: 1,
    total_memories: nodes.filter((node) => node.label === "Memory").length,
    nodes,
    edges: edges.map((edge, at) => {
      const [type = "", start = "", end = "", relation = ""] = edge.split(" ");
      return { id: String(at), type, start, end, relation };
    }),
  };
}
