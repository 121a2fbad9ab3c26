/** The force layout, off the main thread: takes one graph at a time and posts positions until they settle. */

import { forceLink, forceManyBody, forceSimulation, forceX, forceY, forceZ, type Body, type Simulation } from "d3-force-3d";

import type { LayoutReply, LayoutRequest } from "./layout";

const POST_EVERY_MS = 40;

let current: { readonly run: number; readonly simulation: Simulation; readonly quiet: boolean } | null = null;
let posted = 0;
const scope = self as unknown as {
  onmessage: ((event: MessageEvent<LayoutRequest>) => void) | null;
  postMessage(message: LayoutReply, transfer: Transferable[]): void;
};

scope.onmessage = ({ data }) => {
  const idle = current === null;
  current = { run: data.run, simulation: simulationOf(data), quiet: data.quiet };
  posted = performance.now();
  if (idle) step();
};

function simulationOf({ positions, links, moving, flat, heat }: LayoutRequest): Simulation {
  const bodies = Array.from({ length: positions.length / 3 }, (_, index): Body => {
    const [x, y, z] = [positions[index * 3]!, positions[index * 3 + 1]!, positions[index * 3 + 2]!];
    return moving[index] ? { x, y, z } : { x, y, z, fx: x, fy: y, fz: z };
  });
  const pairs = Array.from({ length: links.length / 2 }, (_, at) => ({
    source: links[at * 2]!,
    target: links[at * 2 + 1]!,
  }));
  const pull = flat ? 0.04 : 0.06;
  const simulation = forceSimulation(bodies, flat ? 2 : 3)
    .stop()
    .force("link", forceLink(pairs).distance(flat ? 38 : 34))
    .force("apart", forceManyBody().strength(flat ? -60 : -55).theta(1.1).distanceMax(flat ? 600 : 420))
    .force("x", forceX().strength(pull))
    .force("y", forceY().strength(pull))
    .alpha(heat)
    .alphaDecay(bodies.length > 1500 ? 0.035 : 0.0228);
  return flat ? simulation : simulation.force("z", forceZ().strength(pull));
}

/** One tick, then the event loop's turn, so that a newer graph replaces this one between ticks. */
function step(): void {
  if (!current) return;
  const { run, simulation, quiet } = current;
  simulation.tick();
  const settled = simulation.alpha() < 0.01;
  if (settled || (!quiet && performance.now() - posted > POST_EVERY_MS)) post(run, simulation, settled);
  if (settled) current = null;
  else setTimeout(step);
}

function post(run: number, simulation: Simulation, settled: boolean): void {
  const positions = new Float32Array(simulation.nodes().length * 3);
  for (const [index, body] of simulation.nodes().entries()) {
    positions[index * 3] = body.x;
    positions[index * 3 + 1] = body.y;
    positions[index * 3 + 2] = body.z || 0;
  }
  posted = performance.now();
  scope.postMessage({ run, positions, settled }, [positions.buffer]);
}
