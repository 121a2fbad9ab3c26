/** The graph of a scope, read once and then brought up to date by what changed. */

import { api } from "../api/client";
import type { GraphView } from "../api/types";

/** Reads drawings of one scope: the first whole, the later ones by the part that changed since. */
export class Drawing {
  readonly #scope: string;
  readonly #most: number;
  #last: GraphView | null = null;

  constructor(scope: string, most: number) {
    this.#scope = scope;
    this.#most = most;
  }

  async read(signal: AbortSignal): Promise<GraphView> {
    const last = this.#last;
    const next = last && merged(last, await api.graphChanged(this.#scope, last.revision, signal), this.#most);
    this.#last = next ?? (await api.graph(this.#scope, this.#most, signal));
    return this.#last;
  }
}

/**
 * `last` with a change laid over it by id: at most `most` memories, the newest first, none that is forgotten, no entity
 * that nothing shown is about, no relation that was withdrawn. The same object when nothing changed; null when the change is of a scope that began anew.
 */
export function merged(last: GraphView, change: GraphView, most: number): GraphView | null {
  if (change.revision < last.revision) return null;
  if (change.revision === last.revision) return last;
  const changed = new Map(change.nodes.map((node) => [node.id, node]));
  const known = new Set(last.nodes.map((node) => node.id));
  const nodes = [...change.nodes.filter((node) => !known.has(node.id)), ...last.nodes.map((node) => changed.get(node.id) ?? node)];
  const memories = nodes.filter((node) => node.label === "Memory" && node.status !== "forgotten").slice(0, most);
  const shown = new Set(memories.map((node) => node.id));
  const told = new Set(change.edges.map((edge) => edge.id));
  // A change holds every relation that still leaves a changed memory; other edges never end while both memories stay.
  const kept = last.edges.filter((edge) => edge.type !== "RELATES" || !changed.has(edge.start) || told.has(edge.id));
  const byId = new Map([...kept, ...change.edges].map((edge) => [edge.id, edge]));
  const edges = [...byId.values()].filter((edge) => shown.has(edge.start));
  const about = new Set(edges.filter((edge) => edge.type === "ABOUT").map((edge) => edge.end));
  const entities = nodes.filter((node) => node.label === "Entity" && about.has(node.id));
  return {
    ...change,
    nodes: [...memories, ...entities],
    edges: edges.filter((edge) => shown.has(edge.end) || about.has(edge.end)),
  };
}
