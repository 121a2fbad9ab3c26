/** Says when what is on screen may be old: the browser is offline, the server is gone, or the graph does not answer. */

import { useEffect, useState, useSyncExternalStore } from "react";
import { Unreachable } from "../api/errors";
import { useLive } from "../live/live";

const PATIENCE_MS = 700;

export function Banner() {
  const live = useLive();
  const online = useSyncExternalStore(onLine, () => navigator.onLine);
  const late = useLate(live.state === "broken");
  if (online && !late) return null;
  const seen = live.revision >= 0 ? ` What you see is revision ${live.revision}.` : "";
  return (
    <div className="banner" role="alert">
      <span className="banner-dot" aria-hidden="true" />
      <span>
        {words(online, live.problem)}
        {seen} It comes back by itself.
      </span>
    </div>
  );
}

function words(online: boolean, problem: Error | null): string {
  if (!online) return "Offline: this browser has no connection.";
  if (problem === null || problem instanceof Unreachable) return "Offline: the server does not answer.";
  return `Out of reach: ${problem.message}.`;
}

function onLine(changed: () => void): () => void {
  window.addEventListener("online", changed);
  window.addEventListener("offline", changed);
  return () => {
    window.removeEventListener("online", changed);
    window.removeEventListener("offline", changed);
  };
}

/** True once `on` has held for a moment, so that a reconnect within it shows nothing. */
function useLate(on: boolean): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!on) {
      setLate(false);
      return;
    }
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [on]);
  return on && late;
}
