/** Demo scopes: fresh, filled by the service's own verbs, removable. What each memory shows is kept by the browser. */

import type { DemoSeed } from "../api/types";
import { keep, kept } from "../storage";

const PREFIX = "demo:";
const KEY = "hydramind.demo.";

export function isDemo(scope: string): boolean {
  return scope.startsWith(PREFIX);
}

export function keepSeed(seed: DemoSeed): void {
  keep(KEY + seed.scope, JSON.stringify(seed));
}

/** What the seed of a scope said, or null when another browser seeded it. */
export function seedOf(scope: string): DemoSeed | null {
  const text = kept(KEY + scope);
  return text === null ? null : (JSON.parse(text) as DemoSeed);
}

export function dropSeed(scope: string): void {
  keep(KEY + scope, null);
}
