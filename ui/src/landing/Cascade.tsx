/** A cascade to play with: contradict a memory, watch the doubt travel, take it back. */

import { useState } from "react";
import { RULES } from "../api/types";
import { exact } from "../parts/format";
import { Trust } from "../parts/Trust";
import { chainTrust } from "./toy";

const CHAIN = [
  { text: "The mailer keeps its queue in SQS", doubt: "The mailer does not keep its queue in SQS" },
  { text: "Unsent mail survives a restart", doubt: "Unsent mail does not survive a restart" },
  { text: "The mailer can be deployed at noon", doubt: "The mailer cannot be deployed at noon" },
] as const;

export function Cascade() {
  const [doubted, setDoubted] = useState<readonly number[]>([]);
  const trust = chainTrust(CHAIN.length, doubted);
  const turn = (at: number) => setDoubted(doubted.includes(at) ? doubted.filter((one) => one !== at) : [...doubted, at]);
  return (
    <figure className="cascade">
      <ol>
        {CHAIN.map((memory, at) => {
          const now = trust[at] ?? RULES.full;
          const on = doubted.includes(at);
          return (
            <li key={memory.text}>
              {at > 0 && <span className="cascade-link">concluded from it</span>}
              <div className="card" data-status={on ? "contradicted" : "active"}>
                <p className="text">{memory.text}</p>
                <Trust trust={now} large source="the illustration's own sum" />
                <button type="button" aria-pressed={on} aria-label={on ? `Take it back: ${memory.doubt}` : `Contradict: ${memory.text}`} onClick={() => turn(at)}>
                  {on ? "Take it back" : "Contradict"}
                </button>
                {on && <p className="cascade-doubt">“{memory.doubt}”</p>}
              </div>
            </li>
          );
        })}
      </ol>
      <figcaption className="muted">
        An illustration: it runs in this page with the server’s numbers and stores nothing. A contradiction costs{" "}
        {exact(RULES.contradictionLoss)}, a conclusion {exact(RULES.lossPerHop)} a hop up to {RULES.maxHops} hops; nothing falls below{" "}
        {exact(RULES.floor)}.
      </figcaption>
    </figure>
  );
}
