/** The first visit: nothing is stored yet. */

import { BOOT } from "../boot";
import { Command } from "../parts/Copy";
import { Failed } from "../parts/States";
import { Link } from "../router";
import { to } from "../routes";
import { useSeed } from "../shell/useSeed";

export function Welcome() {
  const { seeding, problem, seed } = useSeed();
  return (
    <section className="welcome">
      <h1>Nothing is remembered yet</h1>
      <p className="lead">A scope comes into being with its first memory: attach an agent, write one yourself, or look at the demo.</p>
      <div className="actions">
        <button type="button" className="primary" onClick={seed} disabled={seeding}>
          {seeding ? "Writing the demo …" : "Load the demo"}
        </button>
        <Link className="button" to={to.remember("default")}>
          Remember something
        </Link>
      </div>
      {problem && <Failed problem={problem} what="The demo could not be written" />}
      {BOOT.attach.length > 0 && (
        <>
          <h2>Attach an agent</h2>
          {BOOT.attach.map((line) => (
            <Command key={line} line={line} label={line} />
          ))}
        </>
      )}
    </section>
  );
}
