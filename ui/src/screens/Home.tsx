/** A scope at a glance: ask it, its counts, its newest memories, what it is about, what just happened. */

import { useState, type ReactNode } from "react";
import { api } from "../api/client";
import type { Event, GraphNode } from "../api/types";
import { useLive } from "../live/live";
import { useReply } from "../live/reply";
import { count, counted, exact, moment } from "../parts/format";
import { Rows } from "../parts/List";
import { EntityChip, Figure, Status } from "../parts/Marks";
import { Empty, Failed, Loading } from "../parts/States";
import { Text } from "../parts/Text";
import { Trust } from "../parts/Trust";
import { Link, navigate } from "../router";
import { to } from "../routes";
import { isDemo } from "../shell/demo";
import { DemoTour } from "./DemoTour";

const FIRST = 30;
const MORE = 300;
const ENTITIES = 24;

export function HomeScreen({ scope }: { readonly scope: string }) {
  const live = useLive();
  const [limit, setLimit] = useState(FIRST);
  const stats = useReply(`stats ${scope}`, live.version, (signal) => api.stats(scope, signal));
  const graph = useReply(`graph ${limit} ${scope}`, live.version, (signal) => api.graph(scope, limit, signal));
  const entities = useReply(`entities ${scope}`, live.version, (signal) => api.entities(scope, signal));
  const memories = (graph.value?.nodes ?? []).filter((node) => node.label === "Memory");

  return (
    <>
      <h1 className="unseen">Overview of {scope}</h1>
      <AskBox scope={scope} />
      {stats.value && (
        <dl className="figures">
          <Figure name="memories" value={count(stats.value.memories)} source="stats: memories" />
          <Figure name="active" value={count(stats.value.active)} source="stats: active" />
          <Figure name="contradicted" value={count(stats.value.contradicted)} source="stats: contradicted" />
          <Figure name="superseded" value={count(stats.value.superseded)} source="stats: superseded" />
          <Figure name="forgotten" value={count(stats.value.forgotten)} source="stats: forgotten" />
          <Figure name="mean trust" value={exact(stats.value.mean_trust)} source="stats: mean_trust" />
        </dl>
      )}
      {isDemo(scope) && <DemoTour scope={scope} />}
      <div className="columns">
        <section className="column-wide" aria-labelledby="newest">
          <h2 id="newest">Newest memories</h2>
          {graph.problem && !graph.value && <Failed problem={graph.problem} what="The memories could not be read" onAgain={graph.again} />}
          {!graph.value && !graph.problem && <Loading what="the memories" lines={6} />}
          {graph.value && memories.length === 0 && (
            <Empty title="This scope is empty">
              <p>
                <Link to={to.remember(scope)}>Remember something</Link> here, or attach an agent and let it.
              </p>
            </Empty>
          )}
          <Rows label="Newest memories">
            {memories.map((node) => (
              <li key={node.id}>
                <MemoryRow scope={scope} node={node} />
              </li>
            ))}
          </Rows>
          {graph.value && graph.value.total_memories > memories.length && limit < MORE && (
            <button type="button" onClick={() => setLimit(MORE)}>
              Show more of {counted(graph.value.total_memories, "memory", "memories")}
            </button>
          )}
        </section>
        <aside className="column-narrow">
          <section aria-labelledby="about">
            <h2 id="about">What it is about</h2>
            {entities.value?.length === 0 && <p className="muted">No entities are named yet.</p>}
            <div className="chips">
              {(entities.value ?? []).slice(0, ENTITIES).map((one) => (
                <EntityChip key={one.id} scope={scope} name={one.name} memories={one.memories} />
              ))}
              {(entities.value?.length ?? 0) > ENTITIES && <Link to={to.entities(scope)}>all {count(entities.value?.length ?? 0)}</Link>}
            </div>
          </section>
          <Activity events={live.events} nodes={graph.value?.nodes ?? []} scope={scope} />
        </aside>
      </div>
    </>
  );
}

function AskBox({ scope }: { readonly scope: string }) {
  return (
    <form
      className="ask"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const q = String(new FormData(event.currentTarget).get("q") ?? "").trim();
        navigate(to.ask(scope, q));
      }}
    >
      <label className="unseen" htmlFor="home-ask">
        Ask this scope
      </label>
      <input id="home-ask" name="q" type="search" placeholder="Ask what it knows …" autoComplete="off" />
      <button type="submit" className="primary">
        Ask
      </button>
    </form>
  );
}

export function MemoryRow({ scope, node, children }: { scope: string; node: GraphNode; children?: ReactNode }) {
  return (
    <Link data-row="" className="row" data-status={node.status} to={to.memory(scope, node.id)}>
      <Text text={node.text} brief />
      <span className="row-marks">
        {node.status !== "active" && <Status status={node.status} />}
        {node.trust !== null && <Trust trust={node.trust} />}
        {children}
      </span>
    </Link>
  );
}

function Activity({ events, nodes, scope }: { events: readonly Event[]; nodes: readonly GraphNode[]; scope: string }) {
  const texts = new Map(nodes.map((node) => [node.id, node.text]));
  const newest = events.slice(-12).reverse();
  return (
    <section aria-labelledby="activity">
      <h2 id="activity">What happened</h2>
      {newest.length === 0 && <p className="muted">Nothing yet. Changes appear here as they are committed.</p>}
      <ol className="activity" aria-label="Newest changes">
        {newest.map((event) => (
          <li key={event.revision}>
            <span className="activity-head">
              <strong>{event.verb}</strong>
              <time dateTime={event.at} className="muted">
                {moment(event.at)}
              </time>
              <span className="muted" title="revision of the scope">
                {event.revision}
              </span>
            </span>
            {event.memory_ids.slice(0, 1).map((id) => (
              <Link key={id} to={to.memory(scope, id)}>
                <Text text={texts.get(id) ?? `memory ${id}`} brief />
              </Link>
            ))}
            {event.memory_ids.length > 1 && <span className="muted">and {counted(event.memory_ids.length - 1, "other", "others")}</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}
