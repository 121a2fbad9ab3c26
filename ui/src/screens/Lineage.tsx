/** What a memory rests on, what was concluded from it, what contradicts it, and its versions. */

import type { Inspection, MemoryView } from "../api/types";
import { useLive } from "../live/live";
import { inspectAll } from "../live/memories";
import { useReply } from "../live/reply";
import { Rows } from "../parts/List";
import { Status } from "../parts/Marks";
import { Failed, Loading } from "../parts/States";
import { Text } from "../parts/Text";
import { Trust } from "../parts/Trust";
import { Link } from "../router";
import { to } from "../routes";

interface Family {
  readonly premises: readonly [readonly MemoryView[], readonly MemoryView[]];
  readonly conclusions: readonly [readonly MemoryView[], readonly MemoryView[]];
  readonly contradicts: readonly MemoryView[];
  readonly contradictedBy: readonly MemoryView[];
  readonly older: readonly MemoryView[];
  readonly newer: readonly MemoryView[];
}

export function Lineage({ scope, inspection }: { readonly scope: string; readonly inspection: Inspection }) {
  const live = useLive();
  const { memory } = inspection;
  const family = useReply(`lineage ${scope} ${memory.id}`, live.version, (signal) => read(scope, inspection, signal));
  if (!family.value) {
    return family.problem ? (
      <Failed problem={family.problem} what="The lineage could not be read" onAgain={family.again} />
    ) : (
      <Loading what="the lineage" />
    );
  }
  const { premises, conclusions, contradicts, contradictedBy, older, newer } = family.value;
  return (
    <div className="lineage-page">
      <div className="lineage">
        <Column title="Rests on" near={premises[0]} far={premises[1]} none="It was stated, not concluded." side="premises" />
        <div className="lineage-self" data-status={memory.status}>
          <span className="muted">this memory</span>
          <Text text={memory.content} brief />
          <Trust trust={memory.trust} />
        </div>
        <Column title="Concluded from it" near={conclusions[0]} far={conclusions[1]} none="Nothing was concluded from it." side="conclusions" />
      </div>
      <Across title="Contradicted by" memories={contradictedBy} kind="contradiction" />
      <Across title="Contradicts" memories={contradicts} kind="contradiction" />
      <Across title="Earlier version" memories={older} kind="version" />
      <Across title="Replaced by" memories={newer} kind="version" />
    </div>
  );
}

async function read(scope: string, inspection: Inspection, signal: AbortSignal): Promise<Family> {
  const near = await inspectAll(scope, [...inspection.derived_from, ...inspection.derived], signal);
  const pick = (ids: readonly string[], from: ReadonlyMap<string, Inspection>) =>
    ids.flatMap((id) => (from.has(id) ? [from.get(id)!] : []));
  const premises = pick(inspection.derived_from, near);
  const conclusions = pick(inspection.derived, near);
  const seen = new Set([inspection.memory.id, ...inspection.derived_from, ...inspection.derived]);
  const beyond = (ids: readonly string[]) => [...new Set(ids)].filter((id) => !seen.has(id)).slice(0, 40);
  const deeper = beyond(premises.flatMap((one) => one.derived_from));
  const later = beyond(conclusions.flatMap((one) => one.derived));
  const beside = [...inspection.contradicts, ...inspection.contradicted_by, ...inspection.supersedes, ...inspection.superseded_by];
  const rest = await inspectAll(scope, [...new Set([...deeper, ...later, ...beside])], signal);
  const views = (ids: readonly string[]) => pick(ids, rest).map((one) => one.memory);
  return {
    premises: [premises.map((one) => one.memory), views(deeper)],
    conclusions: [conclusions.map((one) => one.memory), views(later)],
    contradicts: views(inspection.contradicts),
    contradictedBy: views(inspection.contradicted_by),
    older: views(inspection.supersedes),
    newer: views(inspection.superseded_by),
  };
}

interface ColumnProps {
  readonly title: string;
  readonly near: readonly MemoryView[];
  readonly far: readonly MemoryView[];
  readonly none: string;
  readonly side: "premises" | "conclusions";
}

function Column({ title, near, far, none, side }: ColumnProps) {
  return (
    <section className="lineage-column" data-side={side} aria-label={title}>
      <h2>{title}</h2>
      {near.length === 0 ? (
        <p className="muted">{none}</p>
      ) : (
        <Rows label={`${title}, one hop`}>
          {near.map((one) => (
            <li key={one.id}>
              <Relative memory={one} />
            </li>
          ))}
        </Rows>
      )}
      {far.length > 0 && (
        <div className="lineage-far">
          <h3 className="muted">two hops</h3>
          <Rows label={`${title}, two hops`}>
            {far.map((one) => (
              <li key={one.id}>
                <Relative memory={one} />
              </li>
            ))}
          </Rows>
        </div>
      )}
    </section>
  );
}

function Across({ title, memories, kind }: { readonly title: string; readonly memories: readonly MemoryView[]; readonly kind: string }) {
  if (memories.length === 0) return null;
  return (
    <section className="across" data-kind={kind}>
      <h2>{title}</h2>
      <Rows label={title}>
        {memories.map((one) => (
          <li key={one.id}>
            <Relative memory={one} />
          </li>
        ))}
      </Rows>
    </section>
  );
}

function Relative({ memory }: { readonly memory: MemoryView }) {
  return (
    <Link data-row="" className="relative" data-status={memory.status} to={to.memory(memory.scope, memory.id, "lineage")}>
      <Text text={memory.content} brief />
      <span className="row-marks">
        <Trust trust={memory.trust} />
        <Status status={memory.status} />
      </span>
    </Link>
  );
}
