/** What a demo scope shows, memory by memory, as its seed named them. */

import { useState } from "react";
import { Link } from "../router";
import { to } from "../routes";
import { seedOf } from "../shell/demo";

export function DemoTour({ scope }: { readonly scope: string }) {
  const [seed] = useState(() => seedOf(scope));
  if (seed === null || seed.scope !== scope) return null;
  return (
    <section className="tour" aria-labelledby="tour">
      <h2 id="tour">What to look at</h2>
      <ul>
        {Object.entries(seed.cast).map(([name, id]) => (
          <li key={name}>
            <Link className="chip" to={to.memory(scope, id)}>
              {name.replaceAll("_", " ")}
            </Link>
          </li>
        ))}
        {Object.entries(seed.questions).map(([name, question]) => (
          <li key={name}>
            <Link className="chip" data-kind="question" to={to.ask(scope, question)}>
              {name.replaceAll("_", " ")}: {question}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
