/** The whole scope as a graph; its settings stand in the address. */

import { useMemo } from "react";
import { api } from "../api/client";
import type { GraphNode } from "../api/types";
import { FAMILIES, type GraphSettings, type Pulse } from "../graph/types";
import { Drawing } from "../live/drawing";
import { useLive } from "../live/live";
import { useReply } from "../live/reply";
import { Empty, Failed, Loading } from "../parts/States";
import { Link, navigate } from "../router";
import { to, type Route } from "../routes";
import { Drawn, Panel } from "./drawings";

const MOST = 5_000;

type GraphRoute = Extract<Route, { page: "graph" }>;

export function GraphScreen({ route }: { readonly route: GraphRoute }) {
  const { scope, focus, q } = route;
  const live = useLive();
  const chosen = route.node === "" ? focus : route.node;
  const drawing = useMemo(() => new Drawing(scope, MOST), [scope]);
  const graph = useReply(`graph ${MOST} ${scope}`, live.version, (signal) => drawing.read(signal));
  const recalled = useReply(q === "" ? "" : `recall ${JSON.stringify([scope, q, []])}`, 0, (signal) =>
    api.recall({ query: q, scope, entity_refs: [], limit: 20 }, signal),
  );
  const fired = recalled.value;
  const pulse = useMemo<readonly Pulse[]>(
    () => (fired === null || fired.hits.length === 0 ? [] : [{ key: `${fired.revision} ${q}`, fired: fired.hits.map((hit) => hit.memory.id) }]),
    [fired, q],
  );
  const onSelect = (id: string | null) =>
    navigate({ ...route, ...(id === null ? { focus: "", node: "" } : { node: id === focus ? "" : id }) }, { replace: true });

  const settings: GraphSettings = {
    families: FAMILIES.filter((family) => !route.hide.includes(family)),
    showOrphans: route.orphans,
    mode: route.mode,
  };
  const onSettings = (next: GraphSettings) =>
    navigate(
      {
        ...route,
        hide: FAMILIES.filter((family) => !next.families.includes(family)),
        orphans: next.showOrphans,
        mode: next.mode,
      },
      { replace: true },
    );
  const onOpen = (node: GraphNode) => navigate(node.label === "Entity" ? to.entity(scope, node.text) : to.memory(scope, node.id));

  return (
    <div className="graph-page">
      <div className="graph-head">
        <h1>Graph</h1>
        <form
          className="ask ask-small"
          role="search"
          aria-label="Recall"
          onSubmit={(event) => {
            event.preventDefault();
            const asked = String(new FormData(event.currentTarget).get("q") ?? "").trim();
            navigate({ ...route, q: asked }, { replace: true });
          }}
        >
          <label className="unseen" htmlFor="graph-ask">
            Recall and light up what fires
          </label>
          <input key={q} id="graph-ask" name="q" type="search" defaultValue={q} placeholder="Recall, and see what fires …" autoComplete="off" />
          <button type="submit">Recall</button>
        </form>
        {q !== "" && fired && (
          <span className="muted" role="status">
            {fired.hits.length === 0 ? "nothing fired" : `${fired.passed} fired`}
          </span>
        )}
      </div>
      {graph.problem && !graph.value && <Failed problem={graph.problem} what="The graph could not be read" onAgain={graph.again} />}
      {!graph.value && !graph.problem && <Loading what="the graph" lines={8} />}
      {graph.value && graph.value.nodes.length === 0 && (
        <Empty title="There is nothing to draw yet">
          <p>
            <Link to={to.remember(scope)}>Remember something</Link> first.
          </p>
        </Empty>
      )}
      {graph.value && graph.value.nodes.length > 0 && (
        <Drawn what="the graph">
          <Panel
            scope={scope}
            data={graph.value}
            pulse={pulse}
            selected={chosen === "" ? null : chosen}
            onSelect={onSelect}
            onOpen={onOpen}
            settings={settings}
            onSettings={onSettings}
            focus={focus === "" ? null : focus}
          />
        </Drawn>
      )}
    </div>
  );
}
