/** What a demo scope shows, memory by memory, as its seed named them. */

import { useState } from "react";
import { Link } from "../router";
import { to } from "../routes";
import { seedOf } from "../shell/demo";

const PARTS: Readonly<Record<string, string>> = {
  premise: "a fact that was contradicted",
  contradiction: "what contradicts it",
  conclusion: "what was concluded from it",
  far_conclusion: "what was concluded from that",
  release: "a version that was replaced",
  release_revised: "the version that holds now",
  owner: "a fact that nothing doubts",
  answered: "a question with evidence",
  abstained: "a question without",
};

export function DemoTour({ scope }: { readonly scope: string }) {
  const [seed] = useState(() => seedOf(scope));
  if (seed === null || seed.scope !== scope) return null;
  return (
    <section className="tour" aria-labelledby="tour">
      <h2 id="tour">What to look at</h2>
      <ul>
        {Object.entries(seed.cast).sort(([one], [other]) => placeOf(one) - placeOf(other)).map(([name, id]) => (
          <li key={name}>
            <Link className="chip" to={to.memory(scope, id)}>
              {wordsOf(name)}
            </Link>
          </li>
        ))}
        {Object.entries(seed.questions).map(([name, question]) => (
          <li key={name}>
            <Link className="chip" data-kind="question" to={to.ask(scope, question)}>
              <span className="muted">{wordsOf(name)}</span> {question}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function wordsOf(part: string): string {
  return PARTS[part] ?? part.replaceAll("_", " ");
}

/** The order in which the story is told; parts it does not know come last. */
function placeOf(part: string): number {
  const place = Object.keys(PARTS).indexOf(part);
  return place < 0 ? Number.MAX_SAFE_INTEGER : place;
}
