/** A new version of a memory: the old one stays as history. */

import { useState } from "react";
import { api, asProblem } from "../api/client";
import type { Problem } from "../api/errors";
import type { MemoryView } from "../api/types";
import { RULES } from "../api/types";
import { useLive } from "../live/live";
import { counted } from "../parts/format";
import { Names } from "../parts/Names";
import { Failed } from "../parts/States";
import { navigate } from "../router";
import { to } from "../routes";
import { useTell } from "../shell/tell";

export function Revise({ memory, onClose }: { readonly memory: MemoryView; readonly onClose: () => void }) {
  const live = useLive();
  const tell = useTell();
  const [content, setContent] = useState(memory.content);
  const [reason, setReason] = useState("");
  const [about, setAbout] = useState<readonly string[]>(memory.entities.map((one) => one.name));
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
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
        tell({
          text: `Revised.${moved}${flagged}`,
          action: { label: "See the old version", run: () => navigate(to.memory(memory.scope, done.replaced.id)) },
        });
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
