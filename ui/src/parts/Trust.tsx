/** Trust as a bar from 0.05 to 1 with its number, and a notch where it was before. */

import { RULES } from "../api/types";
import { bandOf, exact } from "./format";

interface TrustProps {
  readonly trust: number;
  readonly before?: number;
  readonly large?: boolean;
  /** Where the figure comes from, shown on hover and focus. */
  readonly source?: string;
}

export function Trust({ trust, before, large = false, source = "trust, as stored in the graph" }: TrustProps) {
  const moved = before !== undefined && before !== trust;
  return (
    <span className={large ? "trust trust-large" : "trust"} data-band={bandOf(trust)} title={source}>
      <span className="trust-track" aria-hidden="true">
        <span className="trust-fill" style={{ width: share(trust) }} />
        {moved && <span className="trust-notch" style={{ left: share(before) }} />}
      </span>
      <span className="trust-number">
        <span className="unseen">trust </span>
        {moved && (
          <span className="trust-before">
            {exact(before)} <span aria-hidden="true">→ </span>
            <span className="unseen">to </span>
          </span>
        )}
        {exact(trust)}
      </span>
    </span>
  );
}

function share(trust: number): string {
  return `${(100 * Math.max(0, trust - RULES.floor)) / (RULES.full - RULES.floor)}%`;
}
