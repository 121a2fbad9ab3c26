/** Recall with its receipts: what was looked for, what each hit rests on, and why nothing was found. */

import { useEffect, useRef } from "react";
import { api } from "../api/client";
import type { Hit, Recalled, RecallTrace } from "../api/types";
import { RULES } from "../api/types";
import { useLive } from "../live/live";
import { useReply } from "../live/reply";
import { count, counted, exact, instant, localField, moment } from "../parts/format";
import { Rows } from "../parts/List";
import { EntityChip, Premise, Slot, Status } from "../parts/Marks";
import { Empty, Failed, Loading } from "../parts/States";
import { Text } from "../parts/Text";
import { Trust } from "../parts/Trust";
import { Link, navigate } from "../router";
import { to } from "../routes";

interface AskProps {
  readonly scope: string;
  readonly q: string;
  readonly about: readonly string[];
  /** The moment asked for, as it stands in the address; empty: now. */
  readonly asOf: string;
}

export function AskScreen({ scope, q, about, asOf }: AskProps) {
  const live = useLive();
  const field = useRef<HTMLInputElement>(null);
  const when = useRef<HTMLInputElement>(null);
  const then = asOf === "" ? {} : { as_of: asOf };
  const key = `recall ${JSON.stringify([scope, q, about, ...Object.values(then)])}`;
  const answer = useReply(q === "" ? "" : key, live.version, (signal) =>
    api.recall({ query: q, scope, entity_refs: about, limit: 20, ...then }, signal),
  );
  useEffect(() => {
    if (field.current) field.current.value = q;
    if (q === "") field.current?.focus();
  }, [q]);
  useEffect(() => {
    if (when.current) when.current.value = localField(asOf);
  }, [asOf]);

  return (
    <>
      <h1>Ask</h1>
      <form
        className="ask"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          const asked = field.current?.value.trim() ?? "";
          const local = when.current?.value ?? "";
          // The field is to the minute; an address may be more exact.
          const chosen = local !== "" && local === localField(asOf) ? asOf : instant(local);
          if (asked === q && chosen === asOf) answer.again();
          else navigate(to.ask(scope, asked, about, chosen));
        }}
      >
        <label className="unseen" htmlFor="ask-field">
          Your question
        </label>
        <input
          id="ask-field"
          ref={field}
          type="search"
          defaultValue={q}
          maxLength={RULES.maxQuery}
          autoComplete="off"
          placeholder="What does the mailer use?"
        />
        <button type="submit" className="primary">
          Ask
        </button>
        <details className="ask-when" open={asOf !== ""}>
          <summary>As it was believed at another time</summary>
          <label>
            as of, in your local time <input ref={when} type="datetime-local" defaultValue={localField(asOf)} />
          </label>
        </details>
      </form>
      {about.length > 0 && (
        <p className="chips">
          <span className="muted">only what is about</span>
          {about.map((name) => (
            <button key={name} type="button" className="chip" onClick={() => navigate(to.ask(scope, q, about.filter((one) => one !== name), asOf))}>
              <bdi dir="auto">{name}</bdi> <span aria-hidden="true">✕</span>
            <span className="unseen">remove</span>
            </button>
          ))}
        </p>
      )}
      {q === "" && <Beginning scope={scope} />}
      {answer.problem && !answer.value && <Failed problem={answer.problem} what="The question could not be answered" onAgain={answer.again} />}
      {answer.loading && !answer.value && q !== "" && <Loading what="the answer" />}
      {answer.value && <Answer scope={scope} q={q} about={about} past={asOf !== ""} recalled={answer.value} />}
    </>
  );
}

function Beginning({ scope }: { readonly scope: string }) {
  return (
    <p className="muted">
      Memories that hold at least {exact(RULES.coverage)} of the question’s keywords come back, each with its receipt. When none does,
      the answer is nothing. Press <kbd>/</kbd> anywhere to ask <bdi dir="auto">{scope}</bdi>.
    </p>
  );
}

interface AnswerProps {
  readonly scope: string;
  readonly q: string;
  readonly about: readonly string[];
  /** Another moment than now was asked for. */
  readonly past: boolean;
  readonly recalled: Recalled;
}

function Answer({ scope, q, about, past, recalled }: AnswerProps) {
  return (
    <section aria-live="polite" aria-label="Answer">
      <div className="receipt-head">
        <strong>{recalled.hits.length === 0 ? "No evidence" : counted(recalled.passed, "memory passes", "memories pass")}</strong>
        <span title="recallable memories of the scope that were looked at">of {count(recalled.considered)} considered</span>
        <span title="the scope's revision that was read">revision {recalled.revision}</span>
        {recalled.hits.length > 0 && !past && <Link to={to.graph(scope, "", q)}>Light it up in the graph</Link>}
      </div>
      {past && (
        <p className="as-of">
          <Then moment={String(recalled.trace.execution["as_of"])} /> <Link to={to.ask(scope, q, about)}>Ask as of now</Link>
        </p>
      )}
      <Keywords words={recalled.keywords} />
      {recalled.hits.length === 0 ? (
        <Nothing scope={scope} q={q} recalled={recalled} />
      ) : (
        <Rows label="Memories that pass, best first" ordered className="hits">
          {recalled.hits.map((hit, index) => (
            <li key={hit.memory.id}>
              <HitCard hit={hit} keywords={recalled.keywords} place={index + 1} past={past} />
            </li>
          ))}
        </Rows>
      )}
      {recalled.hits.length < recalled.passed && (
        <p className="muted">
          The best {recalled.hits.length} are shown; the limit used was {recalled.limit}.
        </p>
      )}
      <Steps trace={recalled.trace} />
    </section>
  );
}

function Then({ moment: iso }: { readonly moment: string }) {
  return (
    <span title="the moment that the server carried the question out for; trust and status are read back from the ledgers">
      As believed on <time dateTime={iso}>{moment(iso)}</time>: trust and status are those of then.
    </span>
  );
}

const CHANNELS: Readonly<Record<string, string>> = { sparse: "words", dense: "meaning", graph: "shared names", time: "time" };

function Steps({ trace }: { readonly trace: RecallTrace }) {
  const asked = trace.stages.filter((stage) => stage.requested);
  if (asked.length === 0) return null;
  return (
    <details>
      <summary>How this answer came about</summary>
      <ul className="plain muted" aria-label="Steps">
        {asked
          .filter((stage) => stage.executed)
          .map((stage) => (
            <li key={stage.name}>
              {stage.name}: {count(stage.candidates)} found, {exact(stage.ms)} ms
              {stage.identity !== "" && <> · {stage.identity}</>}
              {stage.note !== "" && <> · {stage.note}</>}
            </li>
          ))}
        <li>settings {trace.config_sha256.slice(0, 12)}</li>
        {asked
          .filter((stage) => !stage.executed)
          .map((stage) => (
            <li key={stage.name} className="hint">
              {stage.name} did not run
              {stage.note !== "" && <> · {stage.note}</>}
            </li>
          ))}
      </ul>
    </details>
  );
}

function Keywords({ words, matched }: { readonly words: readonly string[]; readonly matched?: readonly string[] }) {
  if (words.length === 0) return null;
  return (
    <p className="keywords">
      <span className="muted" title="word stems, as the index holds them">
        {matched ? "keywords it holds" : "looked for"}
      </span>
      {words.map((word) => {
        const held = matched === undefined || matched.includes(word);
        return (
          <span key={word} className="keyword" data-held={held}>
            {!held && <span className="unseen">not held: </span>}
            <bdi dir="auto">{word}</bdi>
          </span>
        );
      })}
    </p>
  );
}

function HitCard({ hit, keywords, place, past }: { hit: Hit; keywords: readonly string[]; place: number; past: boolean }) {
  const { memory } = hit;
  return (
    <article className="card hit" data-status={memory.status}>
      <span className="hit-place" aria-hidden="true">
        {place}
      </span>
      <Text text={memory.content} />
      <div className="receipt" role="group" aria-label="Receipt">
        <span title="share of the question's keywords that this memory holds; the gate is at the mark">
          <span className="receipt-name">coverage</span>
          <span className="receipt-value">
            <span className="meter" aria-hidden="true">
              <span className="meter-fill" style={{ width: `${hit.coverage * 100}%` }} />
              <span className="meter-gate" style={{ left: `${RULES.coverage * 100}%` }} />
            </span>
            {exact(hit.coverage)}
          </span>
        </span>
        {hit.relevance !== hit.coverage && (
          <span title="how far words, meaning and conversation put it above the scope's average, against the best">
            <span className="receipt-name">relevance</span>
            <span className="receipt-value">{exact(hit.relevance)}</span>
          </span>
        )}
        <span aria-hidden="true">×</span>
        <span>
          <span className="receipt-name" aria-hidden="true">
            trust
          </span>
          <span className="receipt-value">
            <Trust trust={memory.trust} {...(past ? { source: "trust as it was then, read back from its ledger" } : {})} />
          </span>
        </span>
        {memory.confidence !== 1 && (
          <span title="how sure its author was; it multiplies the score as trust does">
            <span className="receipt-name">confidence</span>
            <span className="receipt-value">{exact(memory.confidence)}</span>
          </span>
        )}
        <span aria-hidden="true">=</span>
        <span title="what the ranking goes by, as the server gave it">
          <span className="receipt-name">score</span>
          <strong className="receipt-value">{exact(hit.score)}</strong>
        </span>
        <span title="its rank and score in each channel, and what the gate went by">
          <span className="receipt-name">found by</span>
          <span className="receipt-value">
            {hit.channels.map((found) => `${CHANNELS[found.channel] ?? found.channel} #${found.rank} (${exact(found.score)})`).join(", ")}
            {hit.passed_by !== "keywords" && `, passed by ${hit.passed_by}`}
          </span>
        </span>
      </div>
      <Keywords words={keywords} matched={hit.matched} />
      <div className="card-line">
        <Status status={memory.status} />
        {memory.premise_superseded && <Premise />}
        {memory.slot !== "" && <Slot name={memory.slot} />}
        {memory.entities.map((entity) => (
          <EntityChip key={entity.id} scope={memory.scope} name={entity.name} />
        ))}
        <Link data-row="" className="card-link" to={to.memory(memory.scope, memory.id)}>
          Why is it believed?
        </Link>
      </div>
    </article>
  );
}

function Nothing({ scope, q, recalled }: { scope: string; q: string; recalled: Recalled }) {
  return (
    <Empty title="Nothing stored answers this">
      <p>{reason(recalled)}</p>
      <p className="muted">
        A memory counts as evidence when it holds at least {exact(RULES.coverage)} of the keywords. Saying nothing is the answer here: an
        agent that asks gets an empty list and can say that it does not know.
      </p>
      <div className="actions">
        <Link className="button" to={to.remember(scope, "")}>
          Remember the answer
        </Link>
        <Link className="button" to={to.entities(scope)}>
          See what the scope is about
        </Link>
        <button type="button" className="quiet" onClick={() => document.getElementById("ask-field")?.focus()}>
          Ask with fewer words
        </button>
      </div>
      <span className="unseen">The question was {q}</span>
    </Empty>
  );
}

function reason({ keywords, considered }: Recalled): string {
  if (keywords.length === 0) return "The question has no keywords: only words too common to tell memories apart.";
  if (considered === 0) return "There was nothing to look at: no recallable memory is in reach of this question.";
  return `${counted(considered, "memory was", "memories were")} looked at for ${counted(keywords.length, "keyword", "keywords")}, and none holds enough of them.`;
}
