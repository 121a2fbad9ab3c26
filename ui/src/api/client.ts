/** Every call to the server, in one place; each throws `Problem`, or `Unreachable` when no answer came. */

import { Problem, Unreachable, problemOf } from "./errors";
import { refuseToken, token } from "./token";
import type * as t from "./types";

type Signal = AbortSignal | undefined;

export const api = {
  scopes: async (signal?: Signal) =>
    (await get<{ scopes: readonly t.ScopeView[] }>("/api/scopes", signal)).scopes,
  stats: (scope: string, signal?: Signal) => get<t.Stats>(`${one(scope)}/stats`, signal),
  graph: (scope: string, limit: number, signal?: Signal) =>
    get<t.GraphView>(`${one(scope)}/graph?limit=${limit}`, signal),
  graphChanged: (scope: string, after: number, signal?: Signal) =>
    get<t.GraphView>(`${one(scope)}/graph?changed_after=${after}`, signal),
  entities: async (scope: string, signal?: Signal) =>
    (await get<{ entities: readonly t.EntityView[] }>(`${one(scope)}/entities`, signal)).entities,
  health: (signal?: Signal) => get<t.SystemHealth>("/api/health", signal),

  remember: (asked: t.RememberRequest) => post<t.Remembered>("remember", asked),
  recall: (asked: t.RecallRequest, signal?: Signal) => post<t.Recalled>("recall", asked, signal),
  revise: (asked: t.ReviseRequest) => post<t.Revised>("revise", asked),
  forget: (asked: t.OneMemoryRequest) => post<t.Forgotten>("forget", asked),
  reinstate: (asked: t.OneMemoryRequest) => post<t.Reinstated>("reinstate", asked),
  relate: (asked: t.RelateRequest) => post<t.Related>("relate", asked),
  checkConflict: (asked: t.DraftRequest, signal?: Signal) => post<t.ConflictReport>("check_conflict", asked, signal),
  timeline: (asked: t.TimelineOfRequest, signal?: Signal) => post<t.Timeline>("timeline", asked, signal),
  trace: (asked: t.TraceFromRequest, signal?: Signal) => post<t.Trace>("trace_memory", asked, signal),
  explain: (asked: t.OneMemoryRequest, signal?: Signal) => post<t.TrustStory>("explain_trust", asked, signal),
  inspect: (asked: t.OneMemoryRequest, signal?: Signal) => post<t.Inspection>("inspect", asked, signal),

  seedDemo: () => post<t.DemoSeed>("demo", {}),
  removeDemo: (scope: string) => call<t.Removed>(`/api/demo/${encodeURIComponent(scope)}`, { method: "DELETE" }),
  skipDays: (scope: string, days: number) =>
    post<t.DemoClock>(`demo/${encodeURIComponent(scope)}/clock`, { skip_days: days }),
};

/** The live events of a scope past a revision (-1: from now on), as text chunks. */
export async function openEvents(scope: string, after: number, signal: AbortSignal): Promise<AsyncIterable<string>> {
  const reply = await send(`${one(scope)}/events?after=${after}`, { signal, headers: { Accept: "text/event-stream" } });
  if (reply.body === null) throw new Unreachable();
  return chunksOf(reply.body);
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    // Leaving early must free the connection: a browser has few for one origin.
    await reader.cancel().catch(() => undefined);
  }
}

function one(scope: string): string {
  return `/api/scopes/${encodeURIComponent(scope)}`;
}

function get<T>(path: string, signal: Signal): Promise<T> {
  return call<T>(path, signal === undefined ? {} : { signal });
}

function post<T>(verb: string, body: object, signal?: Signal): Promise<T> {
  return call<T>(`/api/${verb}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

async function call<T>(path: string, init: RequestInit): Promise<T> {
  const reply = await send(path, init);
  try {
    return (await reply.json()) as T;
  } catch (error) {
    if (aborted(error)) throw error;
    throw new Unreachable();
  }
}

async function send(path: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  if (token() !== "") headers.set("Authorization", `Bearer ${token()}`);
  let reply: Response;
  try {
    reply = await fetch(path, { ...init, headers, cache: "no-store" });
  } catch (error) {
    if (aborted(error)) throw error;
    throw new Unreachable();
  }
  if (reply.ok) return reply;
  if (reply.status === 401) refuseToken();
  throw problemOf(reply.status, await reply.json().catch(() => null));
}

/** Whether an error only says that the caller lost interest. */
export function aborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/** Any error as a problem that a screen can show. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem(error instanceof Error ? error.message : String(error), "page", 0, false);
}
