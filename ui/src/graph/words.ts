/** What the drawing says of nodes and edges, for cards, lists and screen readers. */

import { count, counted, exact } from "../parts/format";
import { relationWords } from "../parts/relations";
import { isEntity } from "./families";
import type { Neighbour, Network, Shown } from "./network";
import type { Family, GraphNode } from "./types";

const OUTWARD: Readonly<Record<Exclude<Family, "RELATES">, string>> = {
  ABOUT: "about",
  DERIVED_FROM: "derived from",
  CONTRADICTS: "contradicts",
  SUPERSEDED_BY: "superseded by",
  TRUST_DECAY: "passed a loss of trust to",
};
const INWARD: Readonly<Record<Exclude<Family, "RELATES">, string>> = {
  ABOUT: "named in",
  DERIVED_FROM: "premise of",
  CONTRADICTS: "contradicted by",
  SUPERSEDED_BY: "supersedes",
  TRUST_DECAY: "lost trust through",
};

/** How a node stands to a neighbour, read from the node. */
export function standing({ family, relation, outward }: Omit<Neighbour, "index">): string {
  return family === "RELATES" ? relationWords(relation, outward) : (outward ? OUTWARD : INWARD)[family];
}

/** `Memory, contradicted, trust 0.60, 3 links: …`, cut for speaking; `links` null leaves their number out. */
export function spoken(node: GraphNode, links: number | null): string {
  const text = node.text.length > 300 ? `${node.text.slice(0, 300)}…` : node.text;
  const trust = node.trust == null ? "" : `, trust ${exact(node.trust)}`;
  const kind = isEntity(node) ? "Entity" : `Memory, ${node.status}${trust}`;
  return `${kind}${links === null ? "" : `, ${counted(links, "link", "links")}`}: ${text}`;
}

export function spokenScope(scope: string, network: Network, shown: Shown): string {
  const hidden = network.nodes.length - shown.count;
  const rest = hidden > 0 ? `, ${count(hidden)} hidden` : "";
  return `Graph of ${scope}: ${counted(shown.count, "node", "nodes")}${rest}, ${counted(shown.edgeCount, "edge", "edges")}`;
}

export const KEYS = [
  ["arrows", "to the neighbour that way"],
  ["[ ]", "around the neighbours"],
  ["Enter", "open"],
  ["Escape", "clear"],
  ["+ −", "nearer, farther"],
  ["Shift + arrows", "move the picture"],
  ["0", "show everything"],
  ["/", "search"],
] as const;
