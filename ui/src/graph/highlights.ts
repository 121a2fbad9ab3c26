/** What stands out now: the chosen and the pointed node with what touches them, and what fired. */

import type { BrightEdge, Highlights } from "./overlay";
import type { Network, Shown } from "./network";
import { STRESS } from "./painter";
import { type Fired, STEP_MS } from "./pulse";

/** A pulse that started at `since`, in milliseconds of the page's clock. */
export interface Running {
  readonly fired: Fired;
  readonly since: number;
}

/** Indices of nodes, -1 for none; `still` when motion is not wanted. */
export interface Attention {
  readonly chosen: number;
  readonly pointed: number;
  readonly focused: boolean;
  readonly pulses: readonly Running[];
  readonly still: boolean;
}

export interface Emphasis {
  readonly stress: Uint8Array;
  /** Opacity of what is faded; 1 when nothing is. */
  readonly fading: number;
  readonly edges: readonly BrightEdge[];
  /** Chosen, pointed and fired first, then neighbours. */
  readonly named: readonly number[];
  /** How many of `named` are no mere neighbours. */
  readonly central: number;
}

const MOST_NAMED = 16;

/** Pointing fades all but the neighbourhood (one hop); what fired fades the rest less; choosing fades nothing. */
export function emphasisOf(network: Network, shown: Shown, attention: Attention): Emphasis {
  const stress = new Uint8Array(network.nodes.length);
  const lit = attention.pulses.flatMap(({ fired }) => [...fired.nodes, ...fired.ways.flat()]);
  const around = [attention.pointed, attention.chosen].filter((index) => index >= 0);
  const strong = new Set([...around, ...lit]);
  const central = Math.min(strong.size, MOST_NAMED);
  const edges: BrightEdge[] = [];
  for (const from of around) {
    for (const { index, family, relation, outward } of shown.neighbours[from] ?? []) {
      strong.add(index);
      edges.push(outward ? { start: from, end: index, family, relation } : { start: index, end: from, family, relation });
    }
  }
  const fading = attention.pointed >= 0 ? 0.22 : lit.length > 0 ? 0.5 : 1;
  if (fading < 1) stress.fill(STRESS.faded);
  for (const index of strong) stress[index] = STRESS.strong;
  return { stress, fading, edges, named: [...strong].slice(0, MOST_NAMED), central };
}

export function highlightsOf(emphasis: Emphasis, attention: Attention, now: number): Highlights {
  const fired = attention.pulses.map((pulse) => ({
    fired: pulse.fired,
    ms: attention.still ? Number.POSITIVE_INFINITY : now - pulse.since,
  }));
  const { chosen, pointed, focused } = attention;
  const { edges, named, central } = emphasis;
  return { chosen, pointed, focused, edges, named, central, fired };
}

/** Whether a bead is still on its way. */
export function runs({ pulses, still }: Attention, now: number): boolean {
  return !still && pulses.some(({ fired, since }) => now - since < fired.steps * STEP_MS);
}
