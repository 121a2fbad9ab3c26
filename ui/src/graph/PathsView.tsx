/** Evidence paths as a small drawing from left to right; each place is a button whose whole text is its title. */

import { useMemo } from "react";
import { exact } from "../parts/format";
import { arrowsOf, FAMILY_LOOKS, toneOf } from "./families";
import { labelText } from "./labels";
import { pathTree, type Spot, type Step } from "./paths_layout";
import type { GraphNode, PathsViewProps } from "./types";
import { standing } from "./words";
import "./paths.css";

const COLUMN = 264;
const ROW = 84;
const WIDTH = 176;
const HEIGHT = 60;
const EDGE = 8;
const LETTERS = 25;

export function PathsView({ trace, onSelect }: PathsViewProps) {
  const tree = useMemo(() => pathTree(trace), [trace]);
  if (tree.rows === 0) return <p className="paths-none">No path leads away from this memory within {trace.max_hops} hops.</p>;
  const width = (tree.columns - 1) * COLUMN + WIDTH + 2 * EDGE;
  const height = (tree.rows - 1) * ROW + HEIGHT + 2 * EDGE;
  return (
    <div className="paths-drawing">
      <div className="paths-scroll" tabIndex={0} role="region" aria-label="Evidence paths">
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="group" aria-label="Evidence paths, drawn">
          {tree.steps.map((step) => (
            <Way key={step.to.key} step={step} />
          ))}
          {tree.spots.map((spot) => (
            <Place key={spot.key} spot={spot} onSelect={onSelect} />
          ))}
        </svg>
      </div>
    </div>
  );
}

function Way({ step }: { readonly step: Step }) {
  const look = FAMILY_LOOKS[step.family];
  const [fromX, fromY] = [leftOf(step.from) + WIDTH, middleOf(step.from)];
  const [toX, toY] = [leftOf(step.to), middleOf(step.to)];
  const bend = (fromX + toX) / 2;
  const words = standing({ family: step.family, relation: step.relation, outward: step.forward });
  const arrows = arrowsOf(step.family, step.relation);
  const arrowAtEnd = arrows === "both" || (arrows === "end" && step.forward);
  const arrowAtStart = arrows === "both" || (arrows === "end" && !step.forward);
  return (
    <g className="paths-way" data-tone={look.tone} aria-hidden="true">
      <path
        d={`M${fromX + (arrowAtStart ? 6 : 0)} ${fromY}C${bend} ${fromY} ${bend} ${toY} ${toX - (arrowAtEnd ? 6 : 0)} ${toY}`}
        strokeDasharray={look.dash.join(" ") || undefined}
      />
      {arrowAtEnd && <path className="paths-tip" d={`M${toX - 1} ${toY}l-8-4v8Z`} />}
      {arrowAtStart && <path className="paths-tip" d={`M${fromX + 1} ${fromY}l8-4v8Z`} />}
      <text x={toX - 12} y={toY + (toY > fromY ? 18 : -8)} textAnchor="end">
        {words}
      </text>
    </g>
  );
}

function Place({ spot, onSelect }: { readonly spot: Spot; readonly onSelect: PathsViewProps["onSelect"] }) {
  const { node } = spot;
  const entity = node.label === "Entity";
  const [left, top] = [leftOf(spot), middleOf(spot) - HEIGHT / 2];
  const lines = linesOf(node);
  const choose = () => onSelect(node.id, node.label);
  return (
    <g
      className="paths-place"
      data-tone={toneOf(node)}
      data-status={node.status || "entity"}
      role="button"
      tabIndex={0}
      onClick={choose}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        choose();
      }}
    >
      <title>{node.text.slice(0, 1_000)}</title>
      <rect x={left} y={top} width={WIDTH} height={HEIGHT} rx={entity ? HEIGHT / 2 : 6} />
      {!entity && <rect className="paths-band" x={left} y={top + 6} width="3" height={HEIGHT - 12} />}
      {lines.map((line, at) => (
        <text
          key={at}
          className="paths-text"
          x={entity ? left + WIDTH / 2 : left + 12}
          y={entity ? top + HEIGHT / 2 + 5 : top + 19 + at * 16}
          textAnchor={entity ? "middle" : "start"}
        >
          {line}
        </text>
      ))}
      {!entity && (
        <text className="paths-facts" x={left + 12} y={top + HEIGHT - 8}>
          {node.trust == null ? node.status : `${node.status} · ${exact(node.trust)}`}
        </text>
      )}
    </g>
  );
}

/** Two lines at most, broken between words where that is possible. */
function linesOf(node: GraphNode): readonly string[] {
  if (node.label === "Entity") return [labelText(node.text, LETTERS - 3)];
  const whole = labelText(node.text, 2 * LETTERS - 4);
  if (whole.length <= LETTERS) return [whole];
  const space = whole.lastIndexOf(" ", LETTERS);
  const cut = space > LETTERS / 2 ? space : LETTERS;
  return [whole.slice(0, cut), labelText(whole.slice(cut), LETTERS)];
}

function leftOf(spot: Spot): number {
  return EDGE + spot.column * COLUMN;
}

function middleOf(spot: Spot): number {
  return EDGE + spot.row * ROW + HEIGHT / 2;
}
