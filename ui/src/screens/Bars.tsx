/** Validity bars on one axis: oldest left, open to the right while a version holds, revisions joined, contradictions broken. */

import type { Version } from "../api/types";
import { bandOf, clockTime, day } from "../parts/format";
import { useWidth } from "../parts/width";

const ROW = 30;
const LEFT = 28;
const RIGHT = 24;
const AXIS = 26;
const DAY_MS = 86_400_000;

interface BarsProps {
  readonly versions: readonly Version[];
  /** Rows of (contradicting, contradicted) versions. */
  readonly breaks: readonly (readonly [number, number])[];
  readonly chosen: number | null;
  readonly onChoose: (index: number | null) => void;
}

export function Bars({ versions, breaks, chosen, onChoose }: BarsProps) {
  const { element, width } = useWidth<HTMLDivElement>();
  const bounds = versions.flatMap(({ memory }) => [memory.valid_from, memory.valid_to].flatMap((at) => (at === null ? [] : [Date.parse(at)])));
  const first = Math.min(...bounds);
  const last = Math.max(...bounds);
  const span = Math.max(last - first, 1_000);
  const end = width - RIGHT;
  // A sixth of the axis stays free on the right, so that what still holds is seen to go on.
  const x = (at: number) => LEFT + 12 + ((at - first) / span) * (end - LEFT - 12) * 0.84;
  const y = (row: number) => AXIS + ROW * row + ROW / 2;
  const places = new Map(versions.map(({ memory }, index) => [memory.id, index]));
  const height = AXIS + ROW * versions.length + 8;
  const label = span > 2 * DAY_MS ? day : clockTime;
  return (
    <div ref={element} className="bars">
      {width > 0 && (
        <svg width={width} height={height} role="img" aria-label="When each version holds; the list below says the same in words">
          <g className="bars-axis">
            <line x1={LEFT} x2={end} y1={AXIS - 4} y2={AXIS - 4} />
            {(last > first ? [first, last] : [first]).map((at, index) => (
              <g key={at}>
                <line x1={x(at)} x2={x(at)} y1={AXIS - 8} y2={height - 4} />
                <text x={x(at)} y={AXIS - 12} textAnchor={index === 0 ? "start" : "middle"}>
                  {label(at)}
                </text>
              </g>
            ))}
          </g>
          {versions.map(({ memory, superseded_by }, row) => {
            const from = x(Date.parse(memory.valid_from));
            const to = memory.valid_to === null ? end : Math.max(from + 4, x(Date.parse(memory.valid_to)));
            const next = places.get(superseded_by);
            return (
              <g
                key={memory.id}
                className="bar"
                data-status={memory.status}
                data-band={bandOf(memory.trust)}
                data-chosen={row === chosen || undefined}
                onMouseEnter={() => onChoose(row)}
                onMouseLeave={() => onChoose(null)}
              >
                <rect className="bar-row" x={0} y={y(row) - ROW / 2} width={width} height={ROW} />
                <text x={LEFT - 8} y={y(row) + 4} textAnchor="end">
                  {row + 1}
                </text>
                <rect className="bar-span" x={from} y={y(row) - 6} width={Math.max(4, to - from)} height={12} rx={3} />
                {memory.valid_to === null && <path className="bar-open" d={`M${end - 1} ${y(row) - 8}l9 8-9 8Z`} />}
                {next !== undefined && <path className="bar-joint" d={joint(to, y(row), y(next))} />}
              </g>
            );
          })}
          {breaks.map(([from, at], index) => (
            <path key={index} className="bar-break" d={broken(end - 34 - 14 * (index % 4), y(from), y(at))} />
          ))}
        </svg>
      )}
    </div>
  );
}

/** From the end of a version down to the row of its successor. */
function joint(x: number, from: number, to: number): string {
  const down = to > from ? 1 : -1;
  return `M${x} ${from + 6 * down}V${to - 9 * down}m-4 ${-4 * down}l4 ${5 * down}l4 ${-5 * down}`;
}

/** A double-headed line with a gap in its middle. */
function broken(x: number, from: number, to: number): string {
  const [top, bottom] = from < to ? [from, to] : [to, from];
  const middle = (top + bottom) / 2;
  return (
    `M${x - 4} ${top + 13}l4-5l4 5M${x} ${top + 8}V${middle - 4}m-5 3l10-5M${x - 5} ${middle + 6}l10-5` +
    `M${x} ${middle + 4}V${bottom - 8}m-4-5l4 5l4-5`
  );
}
