/** Choose what a memory was concluded from, by asking the scope. */

import { useState } from "react";
import { api } from "../api/client";
import type { MemoryView } from "../api/types";
import { RULES } from "../api/types";
import { useLive } from "../live/live";
import { useReply } from "../live/reply";
import { useDebounced } from "../parts/debounced";
import { Text } from "../parts/Text";

interface PremisesProps {
  readonly scope: string;
  readonly chosen: readonly MemoryView[];
  readonly onChosen: (chosen: readonly MemoryView[]) => void;
}

export function Premises({ scope, chosen, onChosen }: PremisesProps) {
  const live = useLive();
  const [typed, setTyped] = useState("");
  const q = useDebounced(typed.trim(), 200);
  const found = useReply(q === "" ? "" : `recall ${JSON.stringify([scope, q, "premises"])}`, live.version, (signal) =>
    api.recall({ query: q, scope, limit: 6 }, signal),
  );
  const offered = (found.value?.hits ?? []).filter((hit) => !chosen.some((one) => one.id === hit.memory.id));
  return (
    <div className="field">
      <label htmlFor="premises-field">What it was concluded from</label>
      {chosen.map((one) => (
        <button key={one.id} type="button" className="premise" onClick={() => onChosen(chosen.filter((other) => other.id !== one.id))}>
          <Text text={one.content} brief /> <span aria-hidden="true">✕</span>
            <span className="unseen">remove</span>
        </button>
      ))}
      <input
        id="premises-field"
        value={typed}
        autoComplete="off"
        disabled={chosen.length >= RULES.maxRefs}
        placeholder="Find a stored memory"
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          // Enter here looks for a premise; it must not write the memory.
          if (event.key === "Enter") event.preventDefault();
        }}
      />
      {q !== "" && found.value && offered.length === 0 && <span className="hint">No stored memory holds these words.</span>}
      {q !== "" && offered.length > 0 && (
        <ul className="offered" aria-label="Memories to conclude from">
          {offered.map((hit) => (
            <li key={hit.memory.id}>
              <button
                type="button"
                onClick={() => {
                  onChosen([...chosen, hit.memory]);
                  setTyped("");
                }}
              >
                <Text text={hit.memory.content} brief />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
