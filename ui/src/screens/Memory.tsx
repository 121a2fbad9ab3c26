/** One memory: what it says, how much it is believed, and, by tab, why, what it rests on, what was declared of it, what leads away, and all of it. */

import { useRef, useState } from "react";
import { api, asProblem } from "../api/client";
import type { MemoryView } from "../api/types";
import { useLive } from "../live/live";
import { useReply } from "../live/reply";
import { counted, exact, moment } from "../parts/format";
import { useTabKeys } from "../parts/List";
import { EntityChip, Key, Premise, Slot, Status } from "../parts/Marks";
import { Failed, Loading } from "../parts/States";
import { Text } from "../parts/Text";
import { Trust } from "../parts/Trust";
import { Link, navigate } from "../router";
import { TABS, to, type Tab } from "../routes";
import { useKeys } from "../shell/keys";
import { useTell } from "../shell/tell";
import { Drawn, Relations } from "./drawings";
import { Lineage } from "./Lineage";
import { Paths } from "./Paths";
import { Revise } from "./Revise";
import { Story } from "./Story";

const TAB_WORDS: Readonly<Record<Tab, string>> = {
  story: "Trust story",
  lineage: "Lineage",
  relations: "Relations",
  paths: "Evidence paths",
  raw: "Everything stored",
};

export function MemoryScreen({ scope, id, tab, revising }: { readonly scope: string; readonly id: string; readonly tab: Tab; readonly revising: boolean }) {
  const live = useLive();
  const found = useReply(`inspect ${scope} ${id}`, live.version, (signal) => api.inspect({ memory_id: id, scope }, signal));
  const choose = (next: string) => navigate(to.memory(scope, id, next as Tab, revising), { replace: true });
  const tabs = useTabKeys(TABS, tab, choose);
  if (!found.value) {
    return found.problem ? (
      <Failed problem={found.problem} what="This memory could not be read" onAgain={found.again} first />
    ) : (
      <Loading what="the memory" lines={5} />
    );
  }
  const { memory, relations } = found.value;
  return (
    <>
      <Head
        key={memory.id}
        memory={memory}
        revising={revising}
        onRevising={(next) => navigate(to.memory(scope, id, tab, next), { replace: true })}
      />
      <div className="tabs" role="tablist" aria-label="About this memory" ref={tabs.list} onKeyDown={tabs.onKeyDown}>
        {TABS.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            id={`tab-${one}`}
            data-tab={one}
            aria-selected={one === tab}
            aria-controls="panel"
            tabIndex={one === tab ? 0 : -1}
            onClick={() => choose(one)}
          >
            {TAB_WORDS[one]}
            {one === "relations" && relations.length > 0 && <span className="chip-count">{relations.length}</span>}
          </button>
        ))}
      </div>
      <div id="panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === "story" && <Story scope={scope} id={id} />}
        {tab === "lineage" && <Lineage scope={scope} inspection={found.value} />}
        {tab === "relations" && (
          <Drawn what="the relations">
            <Relations inspection={found.value} />
          </Drawn>
        )}
        {tab === "paths" && <Paths scope={scope} id={id} />}
        {tab === "raw" && <Raw value={found.value} />}
      </div>
    </>
  );
}

interface HeadProps {
  readonly memory: MemoryView;
  readonly revising: boolean;
  readonly onRevising: (revising: boolean) => void;
}

function Head({ memory, revising, onRevising }: HeadProps) {
  const { busy, forget, reinstate } = useForgetting(memory);
  const forgotten = memory.status === "forgotten";
  const revisable = memory.status === "active";
  // Words being typed stay when somebody else replaces the memory meanwhile.
  const open = useRef(false);
  open.current = revising && (revisable || open.current);
  useKeys({
    ...(revisable ? { e: () => onRevising(true) } : {}),
    f: forgotten ? reinstate : forget,
  });
  return (
    <article className="memory-head" data-status={memory.status}>
      <h1 className="unseen">Memory {memory.id}</h1>
      <Text text={memory.content} large />
      <div className="card-line">
        <Trust trust={memory.trust} large />
        <Status status={memory.status} />
        {memory.premise_superseded && <Premise />}
        {memory.slot !== "" && <Slot name={memory.slot} />}
        {memory.entities.map((entity) => (
          <EntityChip key={entity.id} scope={memory.scope} name={entity.name} />
        ))}
      </div>
      <dl className="facts facts-inline">
        <div>
          <dt>stored</dt>
          <dd>{moment(memory.created_at)}</dd>
        </div>
        <div>
          <dt>holds</dt>
          <dd>
            from {moment(memory.valid_from)} {memory.valid_to === null ? "on" : `to ${moment(memory.valid_to)}`}
          </dd>
        </div>
        {memory.source !== "" && (
          <div>
            <dt>said by</dt>
            <dd>
              <bdi dir="auto">{memory.source}</bdi>
            </dd>
          </div>
        )}
        <div>
          <dt>id</dt>
          <dd className="id">{memory.id}</dd>
        </div>
      </dl>
      <div className="actions">
        {revisable && (
          <button type="button" aria-expanded={revising} onClick={() => onRevising(!revising)}>
            Revise <Key>e</Key>
          </button>
        )}
        <button type="button" disabled={busy} onClick={forgotten ? reinstate : forget}>
          {forgotten ? "Undo forgetting" : "Forget"} <Key>f</Key>
        </button>
        <Link className="button" to={to.graph(memory.scope, memory.id)}>
          Show in the graph
        </Link>
      </div>
      {open.current && <Revise memory={memory} onClose={() => onRevising(false)} />}
    </article>
  );
}

/** Forget and its undo; each says what trust it moved. */
function useForgetting(memory: MemoryView) {
  const live = useLive();
  const tell = useTell();
  const [busy, setBusy] = useState(false);
  const one = { memory_id: memory.id, scope: memory.scope };
  const run = (work: () => Promise<void>) => {
    if (busy) return;
    setBusy(true);
    work()
      .then(live.touch)
      .catch((error: unknown) => tell({ text: asProblem(error).message }))
      .finally(() => setBusy(false));
  };
  const bringBack = async () => {
    const done = await api.reinstate(one);
    tell({ text: `Shown again at trust ${exact(done.memory.trust)}.${moved(done.trust_changes.length, "took")}` });
  };
  const reinstate = () => run(bringBack);
  const forget = () =>
    run(async () => {
      const done = await api.forget(one);
      const text = done.changed ? `Forgotten.${moved(done.trust_changes.length, "gave back")}` : "It was forgotten already.";
      tell({ text, action: { label: "Undo", run: undo } });
    });
  // The message outlives the screen that the person was on.
  const undo = () => {
    bringBack()
      .then(live.touch)
      .catch((error: unknown) => tell({ text: asProblem(error).message }));
  };
  return { busy, forget, reinstate };
}

function moved(changes: number, verb: string): string {
  return changes === 0 ? "" : ` It ${verb} trust: ${counted(changes, "memory", "memories")} moved.`;
}

function Raw({ value }: { readonly value: unknown }) {
  return (
    <pre className="raw" tabIndex={0} role="region" aria-label="Everything stored about this memory, as JSON">
      {JSON.stringify(value, null, 2)}
    </pre>
  );
}
