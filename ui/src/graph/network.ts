/** A scope's graph as arrays: nodes by index, edges by family, neighbours, and which of them are shown. */

import { FORM, type Form, formOf, isEntity, toneOf } from "./families";
import { TONES } from "./palette";
import { FAMILIES, type Family, type GraphData, type GraphNode, type GraphSettings } from "./types";

/**
 * Indices run over `nodes`; `links[family]` holds pairs (start, end) in the stored direction, `relations` what was declared
 * by each pair of RELATES, in their order.
 */
export interface Network {
  readonly nodes: readonly GraphNode[];
  readonly indexOf: ReadonlyMap<string, number>;
  readonly forms: Uint8Array;
  /** Index into TONES. */
  readonly tones: Uint8Array;
  /** Half height in world units. */
  readonly halves: Float32Array;
  readonly degrees: Uint32Array;
  readonly links: Readonly<Record<Family, Uint32Array>>;
  readonly relations: readonly string[];
}

/** What the settings leave of a network. `order`: indices of shown nodes, most linked entities first, for labels. */
export interface Shown {
  readonly visible: Uint8Array;
  readonly count: number;
  readonly families: readonly Family[];
  readonly edgeCount: number;
  readonly neighbours: readonly (readonly Neighbour[])[];
  readonly order: Uint32Array;
}

/** One end of an edge seen from the other; `outward` when the edge is stored as leaving here. `relation`: of RELATES, else empty. */
export interface Neighbour {
  readonly index: number;
  readonly family: Family;
  readonly relation: string;
  readonly outward: boolean;
}

/** Edges with an end that is not among the nodes, or of a family that has no look, are left out. */
export function networkOf(data: GraphData): Network {
  const indexOf = new Map(data.nodes.map((node, index) => [node.id, index]));
  const pairs = Object.fromEntries(FAMILIES.map((family) => [family, [] as number[]])) as Record<Family, number[]>;
  const relations: string[] = [];
  const degrees = new Uint32Array(data.nodes.length);
  for (const edge of data.edges) {
    const start = indexOf.get(edge.start);
    const end = indexOf.get(edge.end);
    const family = pairs[edge.type as Family];
    if (start === undefined || end === undefined || family === undefined) continue;
    family.push(start, end);
    if (edge.type === "RELATES") relations.push(edge.relation ?? "");
    degrees[start]!++;
    degrees[end]!++;
  }
  const links = Object.fromEntries(FAMILIES.map((family) => [family, Uint32Array.from(pairs[family])]));
  return {
    nodes: data.nodes,
    indexOf,
    forms: Uint8Array.from(data.nodes, formOf),
    tones: Uint8Array.from(data.nodes, (node) => TONES.indexOf(toneOf(node))),
    halves: Float32Array.from(data.nodes, (node, index) => halfOf(node, degrees[index]!)),
    degrees,
    links: links as Record<Family, Uint32Array>,
    relations,
  };
}

/** Trust never changes size; an entity grows with its links. */
function halfOf(node: GraphNode, degree: number): number {
  return isEntity(node) ? Math.min(11, 3.8 + 0.8 * Math.sqrt(degree)) : 3.4;
}

/** An orphan is a node that no shown edge touches. */
export function shownOf(network: Network, settings: GraphSettings): Shown {
  const families = FAMILIES.filter((family) => settings.families.includes(family));
  const neighbours: Neighbour[][] = network.nodes.map(() => []);
  let edgeCount = 0;
  for (const family of families) {
    const pairs = network.links[family];
    edgeCount += pairs.length / 2;
    for (let at = 0; at < pairs.length; at += 2) {
      const relation = family === "RELATES" ? network.relations[at / 2]! : "";
      neighbours[pairs[at]!]!.push({ index: pairs[at + 1]!, family, relation, outward: true });
      neighbours[pairs[at + 1]!]!.push({ index: pairs[at]!, family, relation, outward: false });
    }
  }
  const visible = Uint8Array.from(neighbours, (near) => (settings.showOrphans || near.length > 0 ? 1 : 0));
  const order = labelOrder(network, visible);
  return { visible, count: order.length, families, edgeCount, neighbours, order };
}

function labelOrder(network: Network, visible: Uint8Array): Uint32Array {
  const indices = network.nodes.map((_, index) => index).filter((index) => visible[index]);
  const rank = (index: number) => (network.forms[index] === FORM.entity ? 1e6 : 0) + network.degrees[index]!;
  return Uint32Array.from(indices.sort((a, b) => rank(b) - rank(a) || a - b));
}

export type { Form };
