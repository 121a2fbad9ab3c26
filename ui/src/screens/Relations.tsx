/** What was declared of a memory and others, the newest first; declared and withdrawn here. */

import { type ReactNode, useState } from "react";
import { api, asProblem } from "../api/client";
import type { Problem } from "../api/errors";
import type { Inspection, MemoryView, RelationView } from "../api/types";
import { useLive } from "../live/live";
import { useMemories } from "../live/memories";
import { exact, moment } from "../parts/format";
import { Rows } from "../parts/List";
import { Status } from "../parts/Marks";
import { type Relation, RELATIONS, relationWords } from "../parts/relations";
import { Failed } from "../parts/States";
import { Text } from "../parts/Text";
import { Link } from "../router";
import { to } from "../routes";
import { useTell } from "../shell/tell";
import { Finder, Found } from "./Finder";

export function Relations({ inspection }: { readonly inspection: Inspection }) {
  const { memory, relations } = inspection;
  const others = useMemories(
    memory.scope,
    relations.map((relation) => otherOf(relation, memory)),
  );
  return (
    <div className="relations">
      {relations.length === 0 && <p className="muted">Nothing was declared of it and another memory.</p>}
      <Rows label="Declared relations, newest first">
        {relations.map((relation) => (
          <li key={relation.id}>
            <Declared memory={memory} relation={relation} other={others.value?.get(otherOf(relation, memory))?.memory ?? null} />
          </li>
        ))}
      </Rows>
      {memory.status === "forgotten" ? <p className="muted">A forgotten memory is related to no other: undo forgetting it first.</p> : <Declare memory={memory} />}
    </div>
  );
}

function otherOf({ source, target }: RelationView, memory: MemoryView): string {
  return source === memory.id ? target : source;
}

interface DeclaredProps {
  readonly memory: MemoryView;
  readonly relation: RelationView;
  /** Null before it is read. */
  readonly other: MemoryView | null;
}

function Declared({ memory, relation, other }: DeclaredProps) {
  const { busy, withdraw } = useWithdrawing(memory.scope, relation);
  return (
    <article className="relation">
      <Link data-row="" className="relative" data-status={other?.status} to={to.memory(memory.scope, otherOf(relation, memory), "relations")}>
        <span className="relation-words">{relationWords(relation.relation, relation.source === memory.id)}</span>
        {other === null ? <span className="id">{otherOf(relation, memory)}</span> : <Text text={other.content} brief />}
        {other !== null && other.status !== "active" && <Status status={other.status} />}
      </Link>
      <div className="relation-facts">
        <p>
          <span title="inspect: weight">weight {exact(relation.weight)}</span>
          <time dateTime={relation.created_at}>{moment(relation.created_at)}</time>
          {relation.reason !== "" && <bdi dir="auto">{relation.reason}</bdi>}
        </p>
        <button type="button" className="quiet" disabled={busy} onClick={withdraw}>
          Withdraw
        </button>
      </div>
    </article>
  );
}

/** Withdraw and its undo, which declares the same again. */
function useWithdrawing(scope: string, { source, target, relation, weight, reason }: RelationView) {
  const live = useLive();
  const tell = useTell();
  const [busy, setBusy] = useState(false);
  const one = { memory_id: source, other_id: target, scope, relation: relation as Relation };
  const failed = (error: unknown) => tell({ text: asProblem(error).message });
  // The message outlives the screen that the person was on.
  const undo = () => {
    api
      .relate({ ...one, weight, reason })
      .then(live.touch)
      .catch(failed);
  };
  const withdraw = () => {
    setBusy(true);
    api
      .relate({ ...one, withdraw: true })
      .then((done) => {
        tell({ text: done.changed ? "Withdrawn." : "It was withdrawn already.", action: { label: "Undo", run: undo } });
        live.touch();
      })
      .catch(failed)
      .finally(() => setBusy(false));
  };
  return { busy, withdraw };
}

function Declare({ memory }: { readonly memory: MemoryView }) {
  const live = useLive();
  const tell = useTell();
  const [relation, setRelation] = useState<Relation>("supports");
  const [other, setOther] = useState<MemoryView | null>(null);
  const [weight, setWeight] = useState("1");
  const [reason, setReason] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const declare = () => {
    if (busy || other === null) return;
    setBusy(true);
    setProblem(null);
    const stated = weight.trim() === "" ? {} : { weight: Number(weight) };
    api
      .relate({ memory_id: memory.id, other_id: other.id, scope: memory.scope, relation, reason, ...stated })
      .then((done) => {
        setOther(null);
        setReason("");
        tell({ text: done.changed ? "Declared." : "It was declared so already." });
        live.touch();
      })
      .catch((error: unknown) => setProblem(asProblem(error)))
      .finally(() => setBusy(false));
  };
  return (
    <form
      className="revise declare"
      aria-labelledby="declare"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        declare();
      }}
    >
      <h2 id="declare">Declare a relation</h2>
      <Field name="relation" label="This memory" problem={problem}>
        <select id="declare-relation" value={relation} onChange={(event) => setRelation(event.target.value as Relation)}>
          {RELATIONS.map((name) => (
            <option key={name} value={name}>
              {relationWords(name, true)}
            </option>
          ))}
        </select>
      </Field>
      <Field name="other_id" label="that memory" problem={problem}>
        {other !== null && <Found memory={other} onRemove={() => setOther(null)} />}
        {other === null && (
          <Finder
            scope={memory.scope}
            id="declare-other_id"
            offers="Memories to relate it to"
            placeholder="Find a stored memory, or paste an id"
            without={[memory.id]}
            {...(problem?.field === "other_id" ? { wrong: "declare-other_id-wrong" } : {})}
            onFound={setOther}
          />
        )}
      </Field>
      <Field name="weight" label="Weight, up to 1" problem={problem}>
        <input
          id="declare-weight"
          type="number"
          step="any"
          value={weight}
          {...invalid("weight", problem)}
          onChange={(event) => setWeight(event.target.value)}
        />
      </Field>
      <Field name="reason" label="Why" problem={problem}>
        <input id="declare-reason" value={reason} {...invalid("reason", problem)} onChange={(event) => setReason(event.target.value)} />
      </Field>
      {problem && !FIELDS.includes(problem.field) && <Failed problem={problem} what="It was not declared" kept="What you chose is still here." />}
      <div className="actions">
        <button type="submit" className="primary" disabled={busy || other === null}>
          {busy ? "Declaring …" : "Declare"}
        </button>
        <span className="hint">It moves neither trust nor status.</span>
      </div>
    </form>
  );
}

const FIELDS: readonly string[] = ["relation", "other_id", "weight", "reason"];

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly problem: Problem | null;
  readonly children: ReactNode;
}

/** A labelled field with what the server says of it below. */
function Field({ name, label, problem, children }: FieldProps) {
  return (
    <div className="field" data-field={name}>
      <label htmlFor={`declare-${name}`}>{label}</label>
      {children}
      {problem?.field === name && (
        <span id={`declare-${name}-wrong`} className="wrong" role="alert">
          {problem.message}
        </span>
      )}
    </div>
  );
}

function invalid(name: string, problem: Problem | null) {
  return problem?.field === name ? { "aria-invalid": true, "aria-describedby": `declare-${name}-wrong` } : {};
}
