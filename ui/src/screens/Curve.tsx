/** The trust of a memory entry by entry, as steps; nothing is interpolated. */

import type { TrustEvent } from "../api/types";
import { RULES } from "../api/types";
import { bandOf, exact } from "../parts/format";
import { useWidth } from "../parts/width";

const HEIGHT = 210;
const TOP = 22;
const BOTTOM = 26;
const LEFT = 44;
const RIGHT = 16;
const LINES = [RULES.full, 0.8, 0.4, RULES.floor] as const;

interface CurveProps {
  readonly events: readonly TrustEvent[];
  readonly chosen: number | null;
  readonly onChoose: (index: number | null) => void;
}

export function Curve({ events, chosen, onChoose }: CurveProps) {
  const { element, width } = useWidth<HTMLDivElement>();
  const step = Math.max(14, (width - LEFT - RIGHT) / Math.max(1, events.length));
  const drawn = Math.max(width, LEFT + RIGHT + step * events.length);
  const x = (index: number) => LEFT + step * index + 10;
  const y = (trust: number) => TOP + ((RULES.full - trust) / (RULES.full - RULES.floor)) * (HEIGHT - TOP - BOTTOM);
  const last = events.at(-1);
  const summary = events.map((event) => `${event.kind} ${exact(event.before)} to ${exact(event.after)}`).join("; ");
  return (
    <div ref={element} className="curve-scroll" tabIndex={drawn > width ? 0 : -1}>
      {width > 0 && (
        <svg width={drawn} height={HEIGHT} role="img" aria-label={`Trust by ledger entry: ${summary}`}>
          {LINES.map((trust) => (
            <g key={trust} className="curve-grid">
              <line x1={LEFT} x2={drawn - RIGHT} y1={y(trust)} y2={y(trust)} />
              <text x={LEFT - 8} y={y(trust) + 4} textAnchor="end">
                {exact(trust)}
              </text>
            </g>
          ))}
          {events.map((event, index) => {
            const end = index + 1 < events.length ? x(index + 1) : drawn - RIGHT;
            return (
              <g key={index} data-band={bandOf(event.after)} className="curve-step">
                {event.before !== event.after && <line x1={x(index)} x2={x(index)} y1={y(event.before)} y2={y(event.after)} />}
                <line x1={x(index)} x2={end} y1={y(event.after)} y2={y(event.after)} />
              </g>
            );
          })}
          {events.map((event, index) => (
            <g
              key={index}
              className="curve-mark"
              data-kind={event.kind}
              data-chosen={index === chosen || undefined}
              data-band={bandOf(event.after)}
              onMouseEnter={() => onChoose(index)}
              onMouseLeave={() => onChoose(null)}
            >
              <circle cx={x(index)} cy={y(event.after)} r={index === chosen ? 7 : 5} />
              {event.before !== event.after && (
                <text x={x(index) + 9} y={y(event.after) - 8}>
                  {exact(event.after)}
                </text>
              )}
            </g>
          ))}
          {last && (
            <text className="curve-now" x={drawn - RIGHT} y={HEIGHT - 6} textAnchor="end">
              now
            </text>
          )}
        </svg>
      )}
    </div>
  );
}
