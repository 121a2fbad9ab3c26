/**
 * The drawings of a scope. Import lazily, so that the chunk is loaded only when a drawing is opened:
 * `const GraphPanel = lazy(() => import("../graph").then((graph) => ({ default: graph.GraphPanel })))`.
 */

export { GraphPanel } from "./GraphPanel";
export { GraphView } from "./GraphView";
export { DEFAULT_SETTINGS, FAMILIES } from "./types";
export type { Family, GraphData, GraphHandle, GraphPanelProps, GraphSettings, GraphViewProps, Mode, PathsViewProps, Pulse } from "./types";
