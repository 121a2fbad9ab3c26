/** The toy on the start page: the server's numbers on three fixed memories, in this page only. */

import { RULES } from "../api/types";

/** Trust of a chain of memories, each concluded from the one before, after each of `doubted` was contradicted once. */
export function chainTrust(length: number, doubted: readonly number[]): readonly number[] {
  const trust = Array.from({ length }, () => RULES.full as number);
  for (const cause of doubted) {
    for (let at = cause; at < length && at - cause <= RULES.maxHops; at += 1) {
      const loss = at === cause ? RULES.contradictionLoss : RULES.lossPerHop * (at - cause);
      trust[at] = Math.max(RULES.floor, rounded((trust[at] ?? RULES.full) - loss));
    }
  }
  return trust;
}

function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
