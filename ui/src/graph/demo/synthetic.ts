/** A scope made of numbers: clustered entities, memories about them, and some lineage and conflict between. */

import type { Trace } from "../../api/types";
import { RELATIONS } from "../../parts/relations";
import type { GraphData, GraphEdge, GraphNode } from "../types";

const PEOPLE = ["Alice Moreno", "Tomas Lind", "Priya Nair", "Jun Sato", "Olu Adeyemi", "Marta Kowalska", "Ben Carter"];
const PLACES = ["Lisbon", "Osaka", "Project Lantern", "Billing service", "Vault 7", "Weekly review", "Team Harbour"];
const SAID = ["prefers", "moved to", "works on", "no longer uses", "is based in", "leads", "asked about", "will finish"];

/** Numbers of 0 to 1 that a seed decides (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** `count` nodes, a tenth of them entities, and `edges` edges; the same arguments give the same scope. */
export function syntheticScope(count: number, edges: number, seed = 7): GraphData {
  const next = numbers(seed);
  const entities = Math.max(2, Math.floor(count / 10));
  const nodes = Array.from({ length: count }, (_, index) => nodeOf(index, entities, next));
  const drawn: GraphEdge[] = [];
  const link = (type: string, start: number, end: number, relation = "") =>
    start !== end && drawn.push({ id: `e${drawn.length}`, type, start: `n${start}`, end: `n${end}`, relation });
  const lonely = Math.floor(count * 0.97);
  while (drawn.length < edges) {
    const memory = entities + Math.floor(next() * (lonely - entities));
    const kind = next();
    const near = entities + ((memory - entities + Math.floor(next() * 12) * entities) % (lonely - entities));
    if (kind < 0.74) link("ABOUT", memory, next() < 0.8 ? memory % entities : Math.floor(next() ** 3 * entities));
    else if (kind < 0.88) link("DERIVED_FROM", memory, near);
    else if (kind < 0.92) link("CONTRADICTS", memory, near);
    else if (kind < 0.97) link("SUPERSEDED_BY", memory, near);
    else if (kind < 0.985) link("TRUST_DECAY", near, memory);
    else link("RELATES", memory, near, RELATIONS[drawn.length % RELATIONS.length]);
  }
  return { scope: "synthetic", revision: count, nodes, edges: drawn, total_memories: count - entities };
}

function nodeOf(index: number, entities: number, next: () => number): GraphNode {
  const id = `n${index}`;
  const who = PEOPLE[index % PEOPLE.length]!;
  const what = PLACES[Math.floor(next() * PLACES.length)]!;
  if (index < entities) {
    const name = index % 2 === 0 ? who : what;
    return { id, label: "Entity", text: index < 14 ? name : `${name} ${index}`, status: "", trust: null };
  }
  const kind = next();
  const status = kind < 0.08 ? "contradicted" : kind < 0.16 ? "superseded" : "active";
  const trust = status === "contradicted" ? 0.6 : next() < 0.7 ? 1 : next() < 0.6 ? 0.7 : 0.25;
  const text = `${who} ${SAID[Math.floor(next() * SAID.length)]} ${what} since week ${index % 52}`;
  return { id, label: "Memory", text, status, trust };
}

/** `data` with `count` more memories about entities that are there. */
export function withMore(data: GraphData, count: number): GraphData {
  const entities = data.nodes.filter((node) => node.label === "Entity");
  const first = data.nodes.length;
  const nodes = Array.from({ length: count }, (_, at): GraphNode => {
    return { id: `n${first + at}`, label: "Memory", text: `Just heard, number ${first + at}`, status: "active", trust: 1 };
  });
  const edges = nodes.flatMap(({ id }, at): GraphEdge[] =>
    [1, 5].map((step) => {
      return { id: `more ${id} ${step}`, type: "ABOUT", relation: "", start: id, end: entities[(first + at * step) % entities.length]!.id };
    }),
  );
  return {
    ...data,
    revision: data.revision + 1,
    nodes: [...data.nodes, ...nodes],
    edges: [...data.edges, ...edges],
    total_memories: data.total_memories + count,
  };
}

/** A trace with a shared beginning, both directions, a contradiction, a declared relation and a superseded end. */
export const TRACE: Trace = {
  max_hops: 3,
  max_paths: 10,
  truncated: true,
  memory: {
    id: "1",
    scope: "synthetic",
    content: "The launch of Lantern moves to the second week of May",
    kind: "fact",
    status: "active",
    trust: 0.7,
    created_at: "2026-05-01T09:00:00Z",
    event_time: "2026-05-01T09:00:00Z",
    valid_from: "2026-05-01T09:00:00Z",
    valid_to: null,
    source: "",
    entities: [],
    premise_superseded: false,
    session: "",
    evidence_id: "",
    confidence: 1,
    fact_type: "",
    slot: "",
  },
  paths: [
    path(["1", "2"], [["DERIVED_FROM", "1", "2"]]),
    path(["1", "2", "3"], [["DERIVED_FROM", "1", "2"], ["CONTRADICTS", "3", "2"]]),
    path(["1", "2", "4"], [["DERIVED_FROM", "1", "2"], ["DERIVED_FROM", "2", "4"]]),
    path(["1", "5"], [["RELATES", "5", "1", "analogous_to, supports"]]),
    path(["1", "e1", "5"], [["ABOUT", "1", "e1"], ["ABOUT", "5", "e1"]]),
    path(["1", "e1", "5", "6"], [["ABOUT", "1", "e1"], ["ABOUT", "5", "e1"], ["SUPERSEDED_BY", "6", "5"]]),
  ],
};

function path(ids: readonly string[], steps: readonly (readonly [type: string, start: string, end: string, relation?: string])[]): Trace["paths"][number] {
  const said: Readonly<Record<string, readonly [string, string, number]>> = {
    "1": ["The launch of Lantern moves to the second week of May", "active", 0.7],
    "2": ["The review board meets on the fourth of May and has to sign before anything ships to customers", "contradicted", 0.6],
    "3": ["The review board does not meet before June", "active", 1],
    "4": ["Marta said that the board meets on Mondays", "active", 0.85],
    "5": ["Lantern has a budget until August", "active", 1],
    "6": ["Lantern has a budget until July", "superseded", 1],
  };
  return {
    nodes: ids.map((id) => {
      const [text, status, trust] = said[id] ?? ["Lantern", "", null];
      return { id, label: id.startsWith("e") ? "Entity" : "Memory", text, status, trust };
    }),
    steps: steps.map(([type, start, end, relation = ""]) => ({ type, start, end, relation })),
  };
}
