/** One reply on one screen: kept while it is read again, kept for coming back, replaced when its question changes. */

import { useCallback, useEffect, useRef, useState } from "react";
import { aborted, asProblem } from "../api/client";
import type { Problem } from "../api/errors";

const KEPT = 60;
const kept = new Map<string, unknown>();

export interface Reply<T> {
  /** The newest answer to this question, or null before the first. */
  readonly value: T | null;
  /** Why the newest try failed, or null. A value may stand beside it. */
  readonly problem: Problem | null;
  readonly loading: boolean;
  readonly again: () => void;
}

/**
 * Asks `load` whenever `key` or `version` changes; an empty `key` asks nothing. The value of a key stays through a failure.
 */
export function useReply<T>(key: string, version: number, load: (signal: AbortSignal) => Promise<T>): Reply<T> {
  const [answer, setAnswer] = useState<{ key: string; value: T | null; problem: Problem | null; loading: boolean }>({
    key: "",
    value: null,
    problem: null,
    loading: true,
  });
  const [tries, setTries] = useState(0);
  const asking = useRef(load);
  asking.current = load;

  useEffect(() => {
    if (key === "") return;
    const ending = new AbortController();
    setAnswer((before) => ({ ...before, loading: true }));
    asking
      .current(ending.signal)
      .then((value) => {
        if (ending.signal.aborted) return;
        keep(key, value);
        setAnswer({ key, value, problem: null, loading: false });
      })
      .catch((error: unknown) => {
        if (ending.signal.aborted || aborted(error)) return;
        const last = (kept.get(key) as T | undefined) ?? null;
        setAnswer({ key, value: last, problem: asProblem(error), loading: false });
      });
    return () => ending.abort();
  }, [key, version, tries]);

  const again = useCallback(() => setTries((before) => before + 1), []);
  if (key === "") return { value: null, problem: null, loading: false, again };
  const current = answer.key === key;
  return {
    value: current ? answer.value : ((kept.get(key) as T | undefined) ?? null),
    problem: current ? answer.problem : null,
    loading: current ? answer.loading : true,
    again,
  };
}

function keep(key: string, value: unknown): void {
  kept.delete(key);
  kept.set(key, value);
  const oldest = kept.keys().next();
  if (kept.size > KEPT && !oldest.done) kept.delete(oldest.value);
}
