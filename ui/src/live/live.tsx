/** The chosen scope as it changes: its newest events, the revision that screens read again at, and how the stream does. */

import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { api, asProblem, openEvents } from "../api/client";
import { Problem, problemOf } from "../api/errors";
import { follow, type StreamState } from "../api/stream";
import { onToken } from "../api/token";
import type { Event } from "../api/types";

const SHOWN_BEFORE = 30;
const KEPT = 200;
const SETTLE_MS = 250;
const SLOWEST_MS = 8_000;
/** A browser has six connections for one origin, over all its tabs: one that nobody looks at gives its own back. */
const HIDDEN_MS = 20_000;

export interface Live {
  readonly scope: string;
  /** Changes when what is stored may have changed; screens read again then. */
  readonly version: number;
  /** Newest last, revisions ascending, each once. */
  readonly events: readonly Event[];
  readonly state: StreamState;
  readonly problem: Problem | null;
  /** Revision of the newest event seen, or -1 before the first answer. */
  readonly revision: number;
  /** Read again at once: something was written here. */
  readonly touch: () => void;
}

const Context = createContext<Live | null>(null);

export function useLive(): Live {
  const live = useContext(Context);
  if (live === null) throw new Error("useLive needs a LiveScope above it");
  return live;
}

export function LiveScope({ scope, children }: { readonly scope: string; readonly children: ReactNode }) {
  const [events, setEvents] = useState<readonly Event[]>([]);
  const [state, setState] = useState<StreamState>("connecting");
  const [problem, setProblem] = useState<Problem | null>(null);
  const [revision, setRevision] = useState(-1);
  const [version, setVersion] = useState(0);
  const settling = useRef<ReturnType<typeof setTimeout> | null>(null);

  const touch = useCallback(() => setVersion((before) => before + 1), []);
  const settle = useCallback(() => {
    settling.current ??= setTimeout(() => {
      settling.current = null;
      touch();
    }, SETTLE_MS);
  }, [touch]);

  useEffect(() => {
    if (scope === "") return;
    const ending = new AbortController();
    let broken = false;
    let resting = false;
    let last = new AbortController();
    let newest = -1;
    setEvents([]);
    setRevision(-1);
    setProblem(null);
    const run = async () => {
      const start = await startOf(scope, ending.signal, (error) => {
        broken = true;
        setState("broken");
        setProblem(error);
      });
      if (start === null) return;
      newest = start.revision;
      setRevision(start.revision);
      await follow(
        Math.max(0, start.revision - SHOWN_BEFORE),
        {
          open: (after, signal) => {
            resting = false;
            last.abort();
            last = new AbortController();
            const rest = hiddenFor(HIDDEN_MS, AbortSignal.any([signal, last.signal]), () => (resting = true));
            return openEvents(scope, after, AbortSignal.any([signal, rest]));
          },
          onEvent: (event) => {
            setEvents((before) => [...before, event].slice(-KEPT));
            if (event.revision > newest) {
              newest = event.revision;
              setRevision(event.revision);
              settle();
            }
          },
          onState: (next, reason) => {
            setState((before) => (next === "connecting" && before === "broken" ? before : next));
            if (next === "broken" && resting) {
              setState("connecting");
            } else if (next === "broken") {
              broken = true;
              setProblem(typeof reason === "string" ? framed(reason) : reason === null ? null : asProblem(reason));
            }
            if (next === "live") {
              setProblem(null);
              if (broken) settle();
              broken = false;
            }
          },
          wait: backoff,
        },
        ending.signal,
      );
    };
    void run();
    return () => {
      ending.abort();
      if (settling.current !== null) clearTimeout(settling.current);
      settling.current = null;
    };
  }, [scope, settle]);

  useEffect(() => onToken(touch), [touch]);

  const live = useMemo<Live>(
    () => ({ scope, version, events, state, problem, revision, touch }),
    [scope, version, events, state, problem, revision, touch],
  );
  return <Context value={live}>{children}</Context>;
}

/** The scope's revision now, asked for until there is an answer; null when the scope was left meanwhile. */
async function startOf(scope: string, signal: AbortSignal, onFailure: (error: Problem) => void) {
  for (let failures = 1; !signal.aborted; failures += 1) {
    try {
      return await api.stats(scope, signal);
    } catch (error) {
      if (signal.aborted) return null;
      onFailure(asProblem(error));
      await backoff(failures, signal);
    }
  }
  return null;
}

/** Half a second, doubling to eight; cut short when the browser is back online, the token changed or the page is shown. */
function backoff(failures: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const shown = () => document.visibilityState === "visible" && end();
    // Nobody looks: there is no hurry to come back before somebody does.
    const looked = document.visibilityState === "visible";
    const end = () => {
      clearTimeout(timer);
      offToken();
      window.removeEventListener("online", end);
      document.removeEventListener("visibilitychange", shown);
      signal.removeEventListener("abort", end);
      done();
    };
    const timer = looked ? setTimeout(end, Math.min(SLOWEST_MS, 250 * 2 ** failures)) : undefined;
    const offToken = onToken(end);
    window.addEventListener("online", end);
    document.addEventListener("visibilitychange", shown);
    signal.addEventListener("abort", end);
  });
}

/** Aborted once the page has been hidden for `ms`; `onRest` is told first. */
function hiddenFor(ms: number, until: AbortSignal, onRest: () => void): AbortSignal {
  const resting = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const changed = () => {
    clearTimeout(timer);
    if (document.visibilityState === "visible") return;
    timer = setTimeout(() => {
      onRest();
      resting.abort();
    }, ms);
  };
  document.addEventListener("visibilitychange", changed);
  const end = () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", changed);
  };
  until.addEventListener("abort", end);
  resting.signal.addEventListener("abort", end);
  return resting.signal;
}

function framed(data: string): Problem {
  try {
    return problemOf(503, JSON.parse(data));
  } catch {
    return new Problem(data, "stream", 0, true);
  }
}
