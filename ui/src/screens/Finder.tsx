/** A field that finds stored memories: by asking the scope, or by the id of one. */

import { useState } from "react";
import { api } from "../api/client";
import type { MemoryView } from "../api/types";
import { useLive } from "../live/live";
import { useReply } from "../live/reply";
import { useDebounced } from "../parts/debounced";
import { Text } from "../parts/Text";

interface FinderProps {
  readonly scope: string;
  readonly id: string;
  /** Name of the list of what was found. */
  readonly offers: string;
  readonly placeholder: string;
  /** Ids that are not offered. */
  readonly without: readonly string[];
  readonly disabled?: boolean;
  /** Id of the element that says what is wrong with what was chosen. */
  readonly wrong?: string;
  readonly onFound: (memory: MemoryView) => void;
}

/** Shorter numbers are words of a question: a port, a year. */
const ID = /^\d{12,}$/;

export function Finder({ scope, id, offers, placeholder, without, disabled = false, wrong, onFound }: FinderProps) {
  const live = useLive();
  const [typed, setTyped] = useState("");
  const q = useDebounced(typed.trim(), 200);
  const found = useReply(q === "" ? "" : `find ${JSON.stringify([scope, q])}`, live.version, (signal) => find(scope, q, signal));
  const offered = (found.value ?? []).filter((memory) => !without.includes(memory.id));
  return (
    <>
      <input
        id={id}
        value={typed}
        autoComplete="off"
        disabled={disabled}
        placeholder={placeholder}
        aria-invalid={wrong !== undefined}
        aria-describedby={wrong}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          // Enter here looks for a memory; it must not send the form around it.
          if (event.key === "Enter") event.preventDefault();
        }}
      />
      {q !== "" && found.problem && <span className="hint">{found.problem.message}</span>}
      {q !== "" && found.value && offered.length === 0 && <span className="hint">No other stored memory holds these words.</span>}
      {q !== "" && offered.length > 0 && (
        <ul className="offered" aria-label={offers}>
          {offered.map((memory) => (
            <li key={memory.id}>
              <button
                type="button"
                onClick={() => {
                  onFound(memory);
                  setTyped("");
                }}
              >
                <Text text={memory.content} brief />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** A memory that was chosen; pressing it takes it back. */
export function Found({ memory, onRemove }: { readonly memory: MemoryView; readonly onRemove: () => void }) {
  return (
    <button type="button" className="premise" onClick={onRemove}>
      <Text text={memory.content} brief /> <span aria-hidden="true">✕</span>
      <span className="unseen">remove</span>
    </button>
  );
}

async function find(scope: string, q: string, signal: AbortSignal): Promise<readonly MemoryView[]> {
  if (ID.test(q)) return [(await api.inspect({ memory_id: q, scope }, signal)).memory];
  return (await api.recall({ query: q, scope, limit: 6 }, signal)).hits.map((hit) => hit.memory);
}
