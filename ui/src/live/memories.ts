/** Several memories of a scope by id, for naming what a story or a lineage points at. */

import { api } from "../api/client";
import type { Inspection } from "../api/types";
import { useLive } from "./live";
import { useReply, type Reply } from "./reply";

const MOST = 60;

/** By id; ids past the first 60 and ids that are not there are left out. */
export function useMemories(scope: string, ids: readonly string[]): Reply<ReadonlyMap<string, Inspection>> {
  const live = useLive();
  const wanted = [...new Set(ids)].slice(0, MOST);
  const key = wanted.length === 0 ? "" : `memories ${JSON.stringify([scope, wanted])}`;
  return useReply(key, live.version, (signal) => inspectAll(scope, wanted, signal));
}

export async function inspectAll(scope: string, ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Inspection>> {
  const found = await Promise.allSettled(ids.map((id) => api.inspect({ memory_id: id, scope }, signal)));
  signal.throwIfAborted();
  return new Map(found.flatMap((one) => (one.status === "fulfilled" ? [[one.value.memory.id, one.value] as const] : [])));
}
