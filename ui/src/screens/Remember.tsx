/** Write a memory: while it is typed, what it would clash with; after the write, what it did. */

import { useCallback, useEffect, useRef, useState } from "react";
import { api, asProblem } from "../api/client";
import type { Problem } from "../api/errors";
import type { MemoryView, Remembered } from "../api/types";
import { RULES } from "../api/types";
import { useLive } from "../live/live";
import { useReply } from "../live/reply";
import { Changes, Conflict } from "../parts/Conflicts";
import { useDebounced } from "../parts/debounced";
import { count, counted, instant } from "../parts/format";
import { MemoryCard } from "../parts/MemoryCard";
import { Names } from "../parts/Names";
import { Failed } from "../parts/States";
import { Premises } from "./Premises";

const STILL_MS = 250;
/** Who said it, when the person names nobody. */
const SOURCE = "dashboard";

export function RememberScreen({ scope, text }: { readonly scope: string; readonly text: string }) {
  const live = useLive();
  const [content, setContent] = useState(text);
  const [about, setAbout] = useState<readonly string[]>([]);
  const [premises, setPremises] = useState<readonly MemoryView[]>([]);
  const [source, setSource] = useState("");
  const [held, setHeld] = useState("");
  const [slot, setSlot] = useState("");
  const [writing, setWriting] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [done, setDone] = useState<Remembered | null>(null);
  const tried = useRef({ words: "", key: "" });
  const field = useRef<HTMLTextAreaElement>(null);
  const entities = useReply(`entities ${scope}`, live.version, (signal) => api.entities(scope, signal));

  useEffect(() => field.current?.focus(), []);

  const write = useCallback(() => {
    if (writing || content.trim() === "") return;
    setWriting(true);
    setProblem(null);
    const asked = {
      content,
      scope,
      entity_refs: about,
      derived_from: premises.map((one) => one.id),
      source: source.trim() === "" ? SOURCE : source,
      slot,
      ...(held === "" ? {} : { event_time: instant(held) }),
    };
    // The same words again after a broken connection carry the same key: the write happens once.
    const words = JSON.stringify(asked);
    if (tried.current.words !== words) tried.current = { words, key: newKey() };
    api
      .remember({ ...asked, idempotency_key: tried.current.key })
      .then((kept) => {
        tried.current = { words: "", key: "" };
        setDone(kept);
        setContent("");
        setPremises([]);
        setSlot("");
        live.touch();
        field.current?.focus();
      })
      .catch((error: unknown) => setProblem(asProblem(error)))
      .finally(() => setWriting(false));
  }, [about, content, held, live, premises, scope, slot, source, writing]);

  return (
    <div className="split">
      <form
        className="write"
        onSubmit={(event) => {
          event.preventDefault();
          write();
        }}
      >
        <h1>Remember</h1>
        <div className="field">
          <label htmlFor="remember-field">One statement, in plain words</label>
          <textarea
            id="remember-field"
            ref={field}
            className="text-field"
            rows={4}
            dir="auto"
            value={content}
            maxLength={RULES.maxContent}
            placeholder="The mailer uses SQS"
            aria-describedby="remember-hint"
            onChange={(event) => setContent(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) write();
            }}
          />
          <span id="remember-hint" className="hint">
            {content.length > RULES.maxContent / 2 ? `${count(content.length)} of ${count(RULES.maxContent)} characters` : "Ctrl+Enter keeps it."}
          </span>
        </div>
        <Names
          label="What it is about"
          hint="people, services, projects, things; Enter keeps a name"
          names={about}
          known={(entities.value ?? []).map((one) => one.name)}
          onNames={setAbout}
        />
        <Premises scope={scope} chosen={premises} onChosen={setPremises} />
        <details>
          <summary>When it held, who said it, which value it gives</summary>
          <label className="field">
            <span>When it held, in your local time</span>
            <input type="datetime-local" value={held} onChange={(event) => setHeld(event.target.value)} />
          </label>
          <label className="field">
            <span>Who or what said it</span>
            <input value={source} placeholder={SOURCE} maxLength={RULES.maxName} onChange={(event) => setSource(event.target.value)} />
          </label>
          <label className="field">
            <span>Which value it gives</span>
            <input value={slot} maxLength={RULES.maxName} autoComplete="off" placeholder="alice/address" onChange={(event) => setSlot(event.target.value)} />
            <span className="hint">Optional: a later fact that gives it replaces this one.</span>
          </label>
        </details>
        {problem && <Failed problem={problem} what="It was not remembered" kept="Your words are still here." onAgain={write} />}
        <button type="submit" className="primary" disabled={writing || content.trim() === ""}>
          {writing ? "Remembering …" : "Remember"}
        </button>
      </form>
      <div className="beside" aria-live="polite">
        {content.trim() === "" && done ? <Done done={done} /> : <Before scope={scope} content={content} about={about} held={held} slot={slot} />}
      </div>
    </div>
  );
}

interface BeforeProps {
  readonly scope: string;
  readonly content: string;
  readonly about: readonly string[];
  readonly held: string;
  readonly slot: string;
}

/** What the draft would clash with, asked for once the typing rests. */
function Before({ scope, content, about, held, slot }: BeforeProps) {
  const live = useLive();
  const draft = useDebounced(content, STILL_MS).trim();
  const named = useDebounced(slot, STILL_MS).trim();
  const time = held === "" ? {} : { event_time: instant(held) };
  const report = useReply(draft === "" ? "" : `check ${JSON.stringify([scope, draft, about, held, named])}`, live.version, (signal) =>
    api.checkConflict({ content: draft, scope, entity_refs: about, slot: named, ...time }, signal),
  );
  const found = report.value?.conflicts ?? [];
  return (
    <section aria-labelledby="before">
      <h2 id="before">Before it is written</h2>
      {draft === "" && <p className="muted">As you type, what it would contradict, replace or repeat appears here.</p>}
      {report.problem && !report.value && <Failed problem={report.problem} what="It could not be compared" onAgain={report.again} />}
      {draft !== "" && report.value && found.length === 0 && (
        <p className="clear">
          Nothing stored clashes with it. <span className="muted">{counted(report.value.compared, "memory", "memories")} compared.</span>
        </p>
      )}
      {found.map((conflict) => (
        <Conflict key={conflict.memory_id} scope={scope} conflict={conflict} draft={draft} />
      ))}
    </section>
  );
}

function Done({ done }: { readonly done: Remembered }) {
  const { memory } = done;
  return (
    <section aria-labelledby="done">
      <h2 id="done">{done.outcome === "duplicate" ? "Already known" : "Remembered"}</h2>
      <MemoryCard memory={memory} />
      {done.trust_changes.length > 0 && (
        <>
          <h3>Trust that moved</h3>
          <Changes scope={memory.scope} changes={done.trust_changes} />
        </>
      )}
      {done.conflicts.map((conflict) => (
        <Conflict key={conflict.memory_id} scope={memory.scope} conflict={conflict} draft={memory.content} done />
      ))}
    </section>
  );
}

function newKey(): string {
  // randomUUID is for secure origins only; a page read over a plain network address has none.
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16)).join("-");
}
