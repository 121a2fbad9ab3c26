/** The bearer token of a guarded server: kept for the tab, never in an address. */

import { keep, kept } from "../storage";

const KEY = "hydramind.token";
const listeners = new Set<() => void>();
let refused = false;
let held = "";

export function token(): string {
  return kept(KEY, "sessionStorage") ?? held;
}

export function setToken(value: string): void {
  held = value.trim();
  keep(KEY, held, "sessionStorage");
  refused = false;
  tell();
}

/** Note that a call was refused for want of the right token. */
export function refuseToken(): void {
  if (refused) return;
  refused = true;
  tell();
}

export function tokenRefused(): boolean {
  return refused;
}

export function onToken(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

function tell(): void {
  listeners.forEach((changed) => changed());
}
