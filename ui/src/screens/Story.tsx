/** Why a memory is believed as much as it is: the step curve of its trust and the ledger entry behind each step. */

import { useState } from "react";
import { api } from "../api/client";
import type { TrustEvent, TrustStory } from "../api/types";
import { useLive } from "../live/live";
import { useMemories } from "../live/memories";
import { useReply } from "../live/reply";
import { exact, moment } from "../parts/format";
import { Rows } from "../parts/List";
import { Failed, Loading } from "../parts/States";
import { Text } from "../parts/Text";
import { Trust } from "../parts/Trust";
import { Link } from "../router";
import { to } from "../routes";
import { Curve } from "./Curve";

export function Story({ scope, id }: { readonly scope: string; readonly id: string }) {
  const live = useLive();
  const story = useReply(`story ${scope} ${id}`, live.version, (signal) => api.explain({ memory_id: id, scope }, signal));
  if (!story.value) {
    return story.problem ? <Failed problem={story.problem} what="The story could not be told" onAgain={story.again} /> : <Loading what="the story" />;
  }
  return <Told scope={scope} story={story.value} />;
}

function Told({ scope, story }: { readonly scope: string; readonly story: TrustStory }) {
  const [chosen, setChosen] = useState<number | null>(null);
  const causes = useMemories(
    scope,
    story.events.map((event) => event.by).filter((by) => by !== ""),
  );
  return (
    <div className="story">
      <figure className="curve-frame">
        <Curve events={story.events} chosen={chosen} onChoose={setChosen} />
        <figcaption className="muted">
          One step a ledger entry; the spacing is by entry, not by time. The ledger alone gives{" "}
          <strong title="explain_trust: replayed">{exact(story.replayed)}</strong>, the memory stands at{" "}
          <strong title="explain_trust: memory.trust">{exact(story.memory.trust)}</strong>.
        </figcaption>
      </figure>
      <Rows label="What happened to its trust, oldest first" ordered className="told">
        {story.events.map((event, index) => (
          <li
            key={index}
            data-kind={event.kind}
            data-chosen={index === chosen || undefined}
            onMouseEnter={() => setChosen(index)}
            onMouseLeave={() => setChosen(null)}
            onFocus={() => setChosen(index)}
            onBlur={() => setChosen(null)}
          >
            <Told1 scope={scope} event={event} cause={causes.value?.get(event.by)?.memory.content ?? ""} />
          </li>
        ))}
      </Rows>
    </div>
  );
}

function Told1({ scope, event, cause }: { readonly scope: string; readonly event: TrustEvent; readonly cause: string }) {
  return (
    <>
      <p className="told-head">
        <strong>{event.kind.replaceAll("_", " ")}</strong>
        <Trust trust={event.after} before={event.before} source="this ledger entry: before and after" />
        <time className="muted" dateTime={event.at}>
          {moment(event.at)}
        </time>
      </p>
      <p>
        <bdi dir="auto">{event.narration}</bdi>
      </p>
      {event.by !== "" && (
        <Link data-row="" className="cause" to={to.memory(scope, event.by)}>
          <span className="muted">caused by</span>
          {cause === "" ? <span className="id">{event.by}</span> : <Text text={cause} brief />}
          <span aria-hidden="true">→</span>
        </Link>
      )}
    </>
  );
}
