/** Demo scopes: fresh, filled by the service's own verbs, removable. What each memory shows is kept for the tab. */

import type { DemoSeed } from "../api/types";

const PREFIX = "demo:";
const KEY = "hydramind.demo.";

export function isDemo(scope: string): boolean {
  return scope.startsWith(PREFIX);
}

export function keepSeed(seed: DemoSeed): void {
  localStorage.setItem(KEY + seed.scope, JSON.stringify(seed));
}

/** What the seed of a scope said, or null when another browser seeded it. */
export function seedOf(scope: string): DemoSeed | null {
  const text = localStorage.getItem(KEY + scope);
  return text === null ? null : (JSON.parse(text) as DemoSeed);
}

export function dropSeed(scope: string): void {
  localStorage.removeItem(KEY + scope);
}
