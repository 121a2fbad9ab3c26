/** Everything that was ever held about an entity, on one axis. */

import { useMemo, useState } from "react";
import { api } from "../api/client";
import type { Timeline } from "../api/types";
import { useLive } from "../live/live";
import { useMemories } from "../live/memories";
import { useReply } from "../live/reply";
import { counted, moment } from "../parts/format";
import { Rows } from "../parts/List";
import { Premise, Status } from "../parts/Marks";
import { Empty, Failed, Loading } from "../parts/States";
import { Text } from "../parts/Text";
import { Trust } from "../parts/Trust";
import { Link } from "../router";
import { to } from "../routes";
import { Bars } from "./Bars";

export function EntityScreen({ scope, name }: { readonly scope: string; readonly name: string }) {
  const live = useLive();
  const timeline = useReply(`timeline ${JSON.stringify([scope, name])}`, live.version, (signal) =>
    api.timeline({ scope, entity_ref: name, limit: 100 }, signal),
  );
  return (
    <>
      <p className="crumb">
        <Link to={to.entities(scope)}>Entities</Link>
      </p>
      <h1>
        <bdi dir="auto">{timeline.value?.entity.name ?? name}</bdi>
      </h1>
      {timeline.problem && !timeline.value && <Failed problem={timeline.problem} what="The timeline could not be read" onAgain={timeline.again} />}
      {!timeline.value && !timeline.problem && <Loading what="the timeline" />}
      {timeline.value && <Versions scope={scope} timeline={timeline.value} />}
    </>
  );
}

function Versions({ scope, timeline }: { readonly scope: string; readonly timeline: Timeline }) {
  const { versions, total, entity } = timeline;
  const [chosen, setChosen] = useState<number | null>(null);
  const doubted = useMemories(
    scope,
    versions.filter(({ memory }) => memory.status === "contradicted").map(({ memory }) => memory.id),
  );
  const breaks = useMemo(() => {
    const places = new Map(versions.map(({ memory }, index) => [memory.id, index]));
    return [...(doubted.value ?? [])].flatMap(([id, seen]) =>
      seen.contradicted_by.flatMap((by) => {
        const from = places.get(by);
        const at = places.get(id);
        return from === undefined || at === undefined ? [] : [[from, at] as const];
      }),
    );
  }, [doubted.value, versions]);
  if (versions.length === 0) {
    return (
      <Empty title="Nothing is held about it">
        <p>
          <Link to={to.remember(scope)}>Remember something</Link> that names it.
        </p>
      </Empty>
    );
  }
  return (
    <>
      <p className="muted">
        {counted(versions.length, "version", "versions")}, oldest first
        {total > versions.length ? `; the ${counted(total - versions.length, "oldest one is", "oldest are")} left out` : ""}.{" "}
        <Link to={to.ask(scope, "", [entity.name])}>Ask about it</Link>
      </p>
      <Bars versions={versions} breaks={breaks} chosen={chosen} onChoose={setChosen} />
      <Rows label="Versions, oldest first" ordered className="versions">
        {versions.map(({ memory, superseded_by, reason }, index) => (
          <li
            key={memory.id}
            data-chosen={index === chosen || undefined}
            onMouseEnter={() => setChosen(index)}
            onMouseLeave={() => setChosen(null)}
            onFocus={() => setChosen(index)}
            onBlur={() => setChosen(null)}
          >
            <article className="card version" data-status={memory.status}>
              <span className="hit-place" aria-hidden="true">
                {index + 1}
              </span>
              <Text text={memory.content} />
              <div className="card-line">
                <Trust trust={memory.trust} />
                <Status status={memory.status} />
                {memory.premise_superseded && <Premise />}
                <span className="muted" title="when the statement holds">
                  {moment(memory.valid_from)} {memory.valid_to === null ? "– open" : `– ${moment(memory.valid_to)}`}
                </span>
                <Link data-row="" className="card-link" to={to.memory(scope, memory.id)}>
                  Its story
                </Link>
              </div>
              {superseded_by !== "" && (
                <p className="muted">
                  replaced by <Link to={to.memory(scope, superseded_by)}>its successor</Link>
                  {reason !== "" && (
                    <>
                      : <bdi dir="auto">{reason}</bdi>
                    </>
                  )}
                </p>
              )}
              {(doubted.value?.get(memory.id)?.contradicted_by ?? []).map((by) => (
                <p key={by} className="muted">
                  contradicted by{" "}
                  <Link to={to.memory(scope, by)}>
                    {versions.some((one) => one.memory.id === by)
                      ? `version ${versions.findIndex((one) => one.memory.id === by) + 1}`
                      : "a memory about something else"}
                  </Link>
                </p>
              ))}
            </article>
          </li>
        ))}
      </Rows>
    </>
  );
}
