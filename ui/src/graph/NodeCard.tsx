/** The chosen node: its whole text, what is known of it, and what it is linked to. */

import { Status } from "../parts/Marks";
import { Text } from "../parts/Text";
import { Trust } from "../parts/Trust";
import { NodeGlyph } from "./Glyph";
import type { Neighbour, Network, Shown } from "./network";
import type { GraphNode } from "./types";
import { standing } from "./words";

const MOST = 12;

interface NodeCardProps {
  readonly network: Network;
  readonly shown: Shown;
  readonly index: number;
  readonly onPick: (id: string) => void;
  readonly onOpen: (node: GraphNode) => void;
  readonly onClose: () => void;
}

export function NodeCard({ network, shown, index, onPick, onOpen, onClose }: NodeCardProps) {
  const node = network.nodes[index]!;
  const around = shown.neighbours[index] ?? [];
  return (
    <section className="graph-card" aria-label="Chosen node">
      <Text text={node.text} />
      <div className="graph-card-facts">
        {node.label === "Entity" ? <span className="graph-kind">entity</span> : <Status status={node.status} />}
        {node.trust != null && <Trust trust={node.trust} />}
      </div>
      <div className="graph-card-actions">
        <button type="button" onClick={() => onOpen(node)}>
          Open
        </button>
        <button type="button" className="quiet" onClick={onClose}>
          Clear
        </button>
      </div>
      {[...grouped(around)].map(([words, neighbours]) => (
        <div key={words} className="graph-relation">
          <h4>
            {words} <span className="graph-count">{neighbours.length}</span>
          </h4>
          <ul>
            {neighbours.slice(0, MOST).map((neighbour) => (
              <li key={neighbour.index}>
                <NeighbourRow node={network.nodes[neighbour.index]!} onPick={onPick} />
              </li>
            ))}
          </ul>
          {neighbours.length > MOST && <p className="graph-none">and {neighbours.length - MOST} more: its page lists them</p>}
        </div>
      ))}
    </section>
  );
}

function NeighbourRow({ node, onPick }: { readonly node: GraphNode; readonly onPick: (id: string) => void }) {
  return (
    <button type="button" className="graph-row" onClick={() => onPick(node.id)}>
      <NodeGlyph node={node} />
      <bdi className="graph-row-text" dir="auto">
        {node.text.slice(0, 200)}
      </bdi>
    </button>
  );
}

/** By relation, each neighbour once however often it is linked that way. */
function grouped(neighbours: readonly Neighbour[]): ReadonlyMap<string, readonly Neighbour[]> {
  const groups = new Map<string, Neighbour[]>();
  for (const neighbour of neighbours) {
    const words = standing(neighbour);
    const known = groups.get(words) ?? [];
    if (!known.some(({ index }) => index === neighbour.index)) groups.set(words, [...known, neighbour]);
  }
  return groups;
}
