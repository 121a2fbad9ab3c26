/** The scopes of this server: switch, begin a new one, load the demo, remove a demo. */

import { useEffect, useState } from "react";
import { api, asProblem } from "../api/client";
import type { Problem } from "../api/errors";
import type { ScopeView } from "../api/types";
import { RULES } from "../api/types";
import { navigate } from "../router";
import { to } from "../routes";
import { moment } from "../parts/format";
import { Failed, Loading } from "../parts/States";
import { Dialog } from "./Dialog";
import { dropSeed, isDemo } from "./demo";
import { useSeed } from "./useSeed";

export function ScopeDialog({ scope, onClose }: { readonly scope: string; readonly onClose: () => void }) {
  const [scopes, setScopes] = useState<readonly ScopeView[] | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [asked, setAsked] = useState(0);
  const [filter, setFilter] = useState("");
  const { seeding, problem: seedProblem, seed } = useSeed();

  useEffect(() => {
    const ending = new AbortController();
    api
      .scopes(ending.signal)
      .then((found) => {
        setScopes(found);
        setProblem(null);
      })
      .catch((error: unknown) => {
        if (!ending.signal.aborted) setProblem(asProblem(error));
      });
    return () => ending.abort();
  }, [asked]);

  const go = (name: string) => {
    navigate(to.home(name));
    onClose();
  };
  const typed = filter.trim();
  const shown = (scopes ?? []).filter((one) => one.name.toLowerCase().includes(typed.toLowerCase()));
  const known = (scopes ?? []).some((one) => one.name === typed);
  const remove = (name: string) => {
    api
      .removeDemo(name)
      .then(() => {
        dropSeed(name);
        setAsked(asked + 1);
        if (name === scope) go("");
      })
      .catch((error: unknown) => setProblem(asProblem(error)));
  };

  return (
    <Dialog title="Scopes" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const first = known ? typed : (shown[0]?.name ?? typed);
          if (first !== "") go(first);
        }}
      >
        <label className="field">
          <span>Find or name a scope</span>
          <input
            value={filter}
            maxLength={RULES.maxName}
            data-first=""
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setFilter(event.target.value)}
          />
        </label>
      </form>
      {problem && <Failed problem={problem} what="The scopes could not be read" onAgain={() => setAsked(asked + 1)} />}
      {!scopes && !problem && <Loading what="the scopes" />}
      {scopes && (
        <ul className="scopes" aria-label="Scopes">
          {shown.map((one) => (
            <li key={one.name}>
              <button type="button" aria-current={one.name === scope || undefined} onClick={() => go(one.name)}>
                <bdi dir="auto">{one.name}</bdi>
                <span className="muted">since {moment(one.created_at)}</span>
              </button>
              {isDemo(one.name) && (
                <button type="button" className="quiet" onClick={() => remove(one.name)} aria-label={`Remove ${one.name}`}>
                  Remove
                </button>
              )}
            </li>
          ))}
          {typed !== "" && !known && (
            <li>
              <button type="button" onClick={() => go(typed)}>
                <span>
                  Begin <bdi dir="auto">“{typed}”</bdi>
                </span>
                <span className="muted">it exists with its first memory</span>
              </button>
            </li>
          )}
          {shown.length === 0 && typed === "" && <li className="muted">There is no scope yet.</li>}
        </ul>
      )}
      <footer className="dialog-foot">
        <button type="button" onClick={seed} disabled={seeding}>
          {seeding ? "Writing the demo …" : "Load the demo"}
        </button>
        <span className="muted">a scope of its own, removable</span>
      </footer>
      {seedProblem && <Failed problem={seedProblem} what="The demo could not be written" />}
    </Dialog>
  );
}
