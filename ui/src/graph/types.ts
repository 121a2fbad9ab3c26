/** What the drawings of a scope take in: the replies of the server, what fired, and how the person wants it shown. */

import type { Ref } from "react";
import type { GraphEdge as DrawnEdge, GraphNode, GraphView as GraphReply, Trace, TracePath } from "../api/types";

export type { GraphNode, Trace, TracePath };

/** `relation` names what was declared of the two where `type` is RELATES. */
export type GraphEdge = DrawnEdge & { readonly relation?: string };

/** The reply of `GET /api/scopes/{scope}/graph`. */
export type GraphData = Omit<GraphReply, "edges"> & { readonly edges: readonly GraphEdge[] };

/** Edge families by relationship type, in the order of the legend. */
export const FAMILIES = ["ABOUT", "DERIVED_FROM", "CONTRADICTS", "SUPERSEDED_BY", "TRUST_DECAY", "RELATES"] as const;
export type Family = (typeof FAMILIES)[number];

export type Mode = "3d" | "2d";

/**
 * Something that fired: ids of nodes, best first. `paths` are node ids in walking order; without them the pulse walks the
 * shown edges that join two fired nodes, at most one other node between. A new `key` starts the pulse, the same key never
 * restarts it; ids that are not shown are left out.
 */
export interface Pulse {
  readonly key: string;
  readonly fired: readonly string[];
  readonly paths?: readonly (readonly string[])[];
}

/** How a scope is drawn; the owner keeps it (in the address or in storage), the drawing only asks for changes. */
export interface GraphSettings {
  readonly families: readonly Family[];
  readonly showOrphans: boolean;
  readonly mode: Mode;
}

export const DEFAULT_SETTINGS: GraphSettings = { families: FAMILIES, showOrphans: true, mode: "3d" };

/** What an owner can ask of the drawing. `whereIs`: CSS pixels from the drawing's corner. */
export interface GraphHandle {
  goTo(id: string): void;
  fit(): void;
  whereIs(id: string): { readonly x: number; readonly y: number } | null;
}

/** The drawing alone: a canvas that fills its parent, with keyboard, hover card and spoken description. */
export interface GraphViewProps extends GraphSettings {
  readonly scope: string;
  readonly data: GraphData;
  readonly pulse: readonly Pulse[];
  /** Id of the chosen node, or null. Choosing never moves the camera. */
  readonly selected: string | null;
  readonly onSelect: (id: string | null) => void;
  /** Enter or a double click on a node. */
  readonly onOpen: (node: GraphNode) => void;
  /** The camera goes to this node whenever the value changes to another id. */
  readonly focus?: string | null;
  readonly ref?: Ref<GraphHandle>;
}

/** The whole screen: drawing, families, orphans, mode, legend, the chosen node, search, and the list of what is shown. */
export interface GraphPanelProps {
  readonly scope: string;
  readonly data: GraphData;
  readonly pulse: readonly Pulse[];
  readonly selected: string | null;
  readonly onSelect: (id: string | null) => void;
  readonly onOpen: (node: GraphNode) => void;
  readonly settings: GraphSettings;
  readonly onSettings: (settings: GraphSettings) => void;
  readonly focus?: string | null;
  readonly ref?: Ref<GraphHandle>;
}

/** Evidence paths left to right, one row a path, shared beginnings drawn once. */
export interface PathsViewProps {
  readonly trace: Trace;
  readonly onSelect: (id: string, label: string) => void;
}
