/** Whether everything works, and how fast: engine, node, scopes held, latencies. */

import { useEffect } from "react";
import { api } from "../api/client";
import type { SystemHealth } from "../api/types";
import { useReply } from "../live/reply";
import { bytes, count, exact, moment } from "../parts/format";
import { Figure } from "../parts/Marks";
import { Failed, Loading } from "../parts/States";
import { Link } from "../router";
import { to } from "../routes";

const EVERY_MS = 5_000;

export function HealthScreen() {
  const health = useReply("health", 0, (signal) => api.health(signal));
  const { again } = health;
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && again(), EVERY_MS);
    return () => clearInterval(timer);
  }, [again]);
  return (
    <>
      <h1>Health</h1>
      {health.problem && (
        <Failed problem={health.problem} what="The server did not say how it is" onAgain={again} kept={health.value ? "What is below is the last answer." : ""} />
      )}
      {!health.value && !health.problem && <Loading what="health" />}
      {health.value && <Report health={health.value} />}
    </>
  );
}

function Report({ health }: { readonly health: SystemHealth }) {
  return (
    <>
      <p className="verdict" data-status={health.status}>
        <span className="live-dot" aria-hidden="true" />
        {health.status === "ok" ? "Everything works." : `The graph is down: ${health.reason}`}
      </p>
      <dl className="figures">
        <Figure name="version" value={health.version} source="health: version" />
        <Figure name="engine" value={health.engine === "" ? "unknown" : health.engine} source="health: engine" />
        <Figure name="graph answers in" value={health.latency_ms === null ? "no answer" : `${exact(health.latency_ms)} ms`} source="health: latency_ms" />
        <Figure name="requests now" value={count(health.in_flight)} source="health: in_flight" />
        <Figure name="scopes held" value={count(health.open_scopes)} source="health: open_scopes" />
      </dl>
      <div className="pair">
        <section aria-labelledby="graph-at">
          <h2 id="graph-at">The graph</h2>
          <dl className="facts">
            <dt>address</dt>
            <dd className="id">{health.uri}</dd>
            <dt>server</dt>
            <dd>{health.agent === "" ? "unknown" : health.agent}</dd>
            <dt>kind</dt>
            <dd>{health.embedded ? "embedded node" : "a server of its own"}</dd>
            {health.node && (
              <>
                <dt>node</dt>
                <dd>
                  {health.node.state}
                  {health.node.answers ? ", answers" : ", does not answer"}
                  {health.node.in_use ? ", in use" : ""}
                </dd>
                <dt>process</dt>
                <dd>{health.node.pid ?? "none"}</dd>
                <dt>since</dt>
                <dd>{health.node.started_at === null ? "not started" : moment(health.node.started_at)}</dd>
                <dt>on disk</dt>
                <dd title={`${count(health.node.stored_bytes)} bytes`}>{bytes(health.node.stored_bytes)}</dd>
              </>
            )}
          </dl>
        </section>
        <section aria-labelledby="held">
          <h2 id="held">Scopes held in memory</h2>
          {health.scopes.length === 0 ? (
            <p className="muted">None has been read since the server started.</p>
          ) : (
            <div className="table-frame" tabIndex={0} role="region" aria-label="Table of scopes">
              <table>
                <thead>
                  <tr>
                    <th scope="col">scope</th>
                    <th scope="col">revision</th>
                    <th scope="col">memories</th>
                    <th scope="col">entities</th>
                  </tr>
                </thead>
                <tbody>
                  {health.scopes.map((one) => (
                    <tr key={one.name}>
                      <th scope="row">
                        <Link to={to.home(one.name)}>
                          <bdi dir="auto">{one.name}</bdi>
                        </Link>
                        {one.skipped_days > 0 && <span className="muted"> +{one.skipped_days} d</span>}
                      </th>
                      <td>{count(one.revision)}</td>
                      <td>{count(one.memories)}</td>
                      <td>{count(one.entities)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </section>
      </div>
      <section aria-labelledby="routes">
        <h2 id="routes">Latencies</h2>
        <p className="muted">Milliseconds of the latest requests of each route since the server started.</p>
        <div className="table-frame" tabIndex={0} role="region" aria-label="Table of latencies">
          <table>
            <thead>
              <tr>
                <th scope="col">route</th>
                <th scope="col">requests</th>
                <th scope="col">recent</th>
                <th scope="col">p50</th>
                <th scope="col">p95</th>
                <th scope="col">max</th>
              </tr>
            </thead>
            <tbody>
              {health.routes.map((one) => (
                <tr key={one.route}>
                  <th scope="row" className="id">
                    {one.route}
                  </th>
                  <td>{count(one.requests)}</td>
                  <td>{count(one.recent)}</td>
                  <td>{exact(one.p50_ms)}</td>
                  <td>{exact(one.p95_ms)}</td>
                  <td>{exact(one.max_ms)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
    </>
  );
}
