/** The same nodes as the drawing shows, as a list. */

import { useState } from "react";
import { counted, exact } from "../parts/format";
import { NodeGlyph } from "./Glyph";
import type { Network, Shown } from "./network";
import type { GraphNode } from "./types";

const PAGE = 40;

interface NodeListProps {
  readonly network: Network;
  readonly shown: Shown;
  /** Indices in the order of the list. */
  readonly found: readonly number[];
  readonly selected: string | null;
  readonly onPick: (id: string) => void;
}

export function NodeList({ network, shown, found, selected, onPick }: NodeListProps) {
  const [limit, setLimit] = useState(PAGE);
  return (
    <section className="graph-list" aria-label="Nodes shown">
      <h3>{counted(found.length, "node", "nodes")}</h3>
      {found.length === 0 && <p className="graph-none">No shown node holds these words. Fewer words or more edge families may show one.</p>}
      <ul>
        {found.slice(0, limit).map((index) => {
          const node = network.nodes[index]!;
          const links = shown.neighbours[index]?.length ?? 0;
          return (
            <li key={node.id}>
              <NodeRow node={node} links={links} chosen={node.id === selected} onPick={onPick} />
            </li>
          );
        })}
      </ul>
      {found.length > limit && (
        <button type="button" className="graph-more" onClick={() => setLimit(limit + PAGE)}>
          Show {Math.min(PAGE, found.length - limit)} more of {found.length - limit}
        </button>
      )}
    </section>
  );
}

interface NodeRowProps {
  readonly node: GraphNode;
  readonly links: number;
  readonly chosen: boolean;
  readonly onPick: (id: string) => void;
}

function NodeRow({ node, links, chosen, onPick }: NodeRowProps) {
  const entity = node.label === "Entity";
  return (
    <button type="button" className="graph-row" aria-current={chosen} onClick={() => onPick(node.id)}>
      <NodeGlyph node={node} />
      <bdi className="graph-row-text" dir="auto">
        {node.text.slice(0, 200)}
      </bdi>
      <span className="graph-row-facts">
        <span className="unseen">{entity ? "entity" : `memory, ${node.status}, trust`} </span>
        {node.trust != null && exact(node.trust)}
        {entity && counted(links, "link", "links")}
      </span>
    </button>
  );
}
