/** A new version of a memory: the old one stays as history. */

import { useEffect, useRef, useState } from "react";
import { api, asProblem } from "../api/client";
import type { Problem } from "../api/errors";
import type { MemoryView } from "../api/types";
import { RULES } from "../api/types";
import { useLive } from "../live/live";
import { useReply } from "../live/reply";
import { Conflict } from "../parts/Conflicts";
import { useDebounced } from "../parts/debounced";
import { counted } from "../parts/format";
import { Names } from "../parts/Names";
import { Failed } from "../parts/States";
import { navigate } from "../router";
import { to } from "../routes";
import { useTell } from "../shell/tell";

const STILL_MS = 250;

export function Revise({ memory, onClose }: { readonly memory: MemoryView; readonly onClose: () => void }) {
  const live = useLive();
  const tell = useTell();
  const [content, setContent] = useState(memory.content);
  const [reason, setReason] = useState("");
  const [about, setAbout] = useState<readonly string[]>(memory.entities.map((one) => one.name));
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const here = useHere();
  const unchanged = content.trim() === memory.content.trim() || content.trim() === "";
  const write = () => {
    if (busy || unchanged) return;
    setBusy(true);
    setProblem(null);
    api
      .revise({ memory_id: memory.id, scope: memory.scope, content, reason, entity_refs: about })
      .then((done) => {
        live.touch();
        const moved = done.trust_changes.length === 0 ? "" : ` ${counted(done.trust_changes.length, "memory", "memories")} moved in trust.`;
        const flagged = done.flagged.length === 0 ? "" : ` ${counted(done.flagged.length, "conclusion is", "conclusions are")} flagged.`;
        const text = `Revised.${moved}${flagged}`;
        // Whoever has gone elsewhere meanwhile stays there.
        if (!here.current) {
          tell({ text, action: { label: "See the new version", run: () => navigate(to.memory(memory.scope, done.memory.id)) } });
          return;
        }
        tell({ text, action: { label: "See the old version", run: () => navigate(to.memory(memory.scope, done.replaced.id)) } });
        navigate(to.memory(memory.scope, done.memory.id));
      })
      .catch((error: unknown) => setProblem(asProblem(error)))
      .finally(() => setBusy(false));
  };
  return (
    <form
      className="revise"
      aria-label="Revise this memory"
      onSubmit={(event) => {
        event.preventDefault();
        write();
      }}
    >
      <label className="field">
        <span>New version</span>
        <textarea
          className="text-field"
          rows={3}
          dir="auto"
          autoFocus
          value={content}
          maxLength={RULES.maxContent}
          onChange={(event) => setContent(event.target.value)}
        />
      </label>
      <label className="field">
        <span>Why it changed</span>
        <input value={reason} maxLength={2_000} onChange={(event) => setReason(event.target.value)} />
      </label>
      <Names label="What it is about" hint="kept from the old version unless you change it" names={about} known={[]} onNames={setAbout} />
      {!unchanged && <Before memory={memory} content={content} about={about} />}
      {problem && <Failed problem={problem} what="It was not revised" kept="Your words are still here." />}
      <div className="actions">
        <button type="submit" className="primary" disabled={busy || unchanged}>
          {busy ? "Revising …" : "Replace the old version"}
        </button>
        <button type="button" className="quiet" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  );
}

/** What the new version would clash with beside the one that it replaces, asked for once the typing rests. */
function Before({ memory, content, about }: { readonly memory: MemoryView; readonly content: string; readonly about: readonly string[] }) {
  const live = useLive();
  const draft = useDebounced(content, STILL_MS).trim();
  const asked = { content: draft, scope: memory.scope, entity_refs: about };
  const report = useReply(draft === "" ? "" : `check ${JSON.stringify(asked)}`, live.version, (signal) => api.checkConflict(asked, signal));
  const found = report.value?.conflicts.filter((one) => one.memory_id !== memory.id) ?? [];
  return (
    <section className="revise-before" aria-label="Before it is written" aria-live="polite">
      {report.problem && !report.value && <Failed problem={report.problem} what="It could not be compared" onAgain={report.again} />}
      {report.value && found.length === 0 && (
        <p className="clear">
          Nothing else stored clashes with it. <span className="muted">{counted(report.value.compared, "memory", "memories")} compared.</span>
        </p>
      )}
      {found.map((conflict) => (
        <Conflict key={conflict.memory_id} scope={memory.scope} conflict={conflict} draft={draft} />
      ))}
    </section>
  );
}

/** Whether the form is still on the screen. */
function useHere() {
  const here = useRef(false);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  return here;
}
