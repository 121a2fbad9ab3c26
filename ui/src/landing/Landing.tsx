/** The start page: what this is, a cascade to play with, how to attach, what was measured. */

import { useState } from "react";
import { BOOT } from "../boot";
import { Mark } from "../parts/Icon";
import { Command } from "../parts/Copy";
import { useTabKeys } from "../parts/List";
import { Failed } from "../parts/States";
import { Link, navigate } from "../router";
import { to } from "../routes";
import { useKeys } from "../shell/keys";
import { useTheme } from "../shell/theme";
import { useSeed } from "../shell/useSeed";
import { Cascade } from "./Cascade";
import measured from "./measured.json";

export function Landing() {
  const { turn } = useTheme();
  useKeys({ t: turn, "/": () => navigate(to.ask("")), g: () => navigate(to.graph("")), n: () => navigate(to.remember("")), h: () => navigate(to.home("")) });
  return (
    <div className="landing">
      <header className="landing-head">
        <span className="brand">
          <Mark /> <span>HydraMind</span>
        </span>
        <nav aria-label="Start">
          <a href="#attach">Attach</a>
          <a href="#measured">Measured</a>
          <Link to={to.home("")}>Dashboard</Link>
        </nav>
      </header>
      <main>
        <Hero />
        <Ideas />
        <Attach />
        <Measured />
      </main>
      <footer className="landing-foot muted">
        HydraMind {BOOT.version} · runs on this machine, sends nothing away · <a href="/v1/openapi.json">REST</a> · <a href="/health">health</a> ·{" "}
        <a href="/metrics">metrics</a>
      </footer>
    </div>
  );
}

function Hero() {
  const { seeding, problem, seed } = useSeed();
  return (
    <section className="hero">
      <div className="hero-words">
        <h1>Memory that knows when it may be wrong</h1>
        <p className="lead">
          Agents remember facts; facts change, conflict and get drawn on. HydraMind keeps each statement with a measure of trust. Contradict one, and what was
          concluded from it is doubted too. Ask what it cannot know, and it says nothing.
        </p>
        <div className="actions">
          <Link className="button primary" to={to.home("")}>
            Open the dashboard
          </Link>
          <button type="button" onClick={seed} disabled={seeding}>
            {seeding ? "Writing the demo …" : "See it on a real graph"}
          </button>
        </div>
        {problem && <Failed problem={problem} what="The demo could not be written" />}
      </div>
      <Cascade />
    </section>
  );
}

function Ideas() {
  return (
    <section className="ideas" aria-label="What it does">
      <div>
        <h2>Doubt travels</h2>
        <p>Each loss of trust is a relationship in the graph with its cause and its time. “Why do you believe this?” has an answer.</p>
      </div>
      <div>
        <h2>History stays</h2>
        <p>What changed over time is replaced, not disbelieved: the old version keeps its trust and its place on the timeline.</p>
      </div>
      <div>
        <h2>Nothing is an answer</h2>
        <p>A memory comes back only when it holds enough of the question. Otherwise the list is empty, and the receipt says why.</p>
      </div>
    </section>
  );
}

const KINDS = ["http", "write"] as const;
const KIND_WORDS = { http: "By address", write: "Let it write the settings" } as const;

function Attach() {
  const [kind, setKind] = useState<string>("write");
  const tabs = useTabKeys(KINDS, kind, setKind);
  return (
    <section id="attach" className="attach" aria-labelledby="attach-title">
      <h2 id="attach-title">Attach an agent</h2>
      <div className="tabs" role="tablist" aria-label="How to attach" ref={tabs.list} onKeyDown={tabs.onKeyDown}>
        {KINDS.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            id={`attach-${one}`}
            data-tab={one}
            aria-selected={one === kind}
            aria-controls="attach-panel"
            tabIndex={one === kind ? 0 : -1}
            onClick={() => setKind(one)}
          >
            {KIND_WORDS[one]}
          </button>
        ))}
      </div>
      <div id="attach-panel" role="tabpanel" aria-labelledby={`attach-${kind}`}>
        {kind === "write" ? (
          <dl className="hosts">
            {BOOT.hosts.map((host) => (
              <div key={host.name}>
                <dt>{host.title}</dt>
                <dd>
                  <Command line={`hydramind attach ${host.name}`} label={`attach ${host.title}`} />
                </dd>
              </div>
            ))}
          </dl>
        ) : (
          <>
            {BOOT.attach.map((line) => (
              <Command key={line} line={line} label={line} />
            ))}
            <p className="muted">Anything that speaks MCP over HTTP: {BOOT.url}/mcp</p>
          </>
        )}
      </div>
      <h3>Or try it from a shell</h3>
      <Command line={BOOT.example} label="remember a statement with curl" />
    </section>
  );
}

function Measured() {
  return (
    <section id="measured" className="measured" aria-labelledby="measured-title">
      <h2 id="measured-title">Measured, with the command that measures it</h2>
      <ul>
        {measured.measured.map((one) => (
          <li key={one.question}>
            <h3>{one.question}</h3>
            {one.value !== "" && <p className="measured-value">{one.value}</p>}
            <p className="muted">{one.note}</p>
            <Command line={one.command} label={one.question} />
          </li>
        ))}
      </ul>
    </section>
  );
}
