/** What a statement would do to what is stored, or did: both quotes side by side, the reason, and the cost. */

import type { ConflictView, TrustChange } from "../api/types";
import { RULES } from "../api/types";
import { useMemories } from "../live/memories";
import { Link } from "../router";
import { to } from "../routes";
import { exact } from "./format";
import { Text } from "./Text";
import { Trust } from "./Trust";

const KINDS: Readonly<Record<string, { readonly title: string; readonly cost: string }>> = {
  contradicts: {
    title: "Contradicts",
    cost: `It costs the stored one ${exact(RULES.contradictionLoss)} trust, and what rests on it ${exact(RULES.lossPerHop)} a hop, up to ${RULES.maxHops} hops.`,
  },
  supersedes: { title: "Replaces", cost: "The stored one becomes history and keeps its trust." },
  duplicate: { title: "Already known", cost: "Nothing new will be stored." },
  refines: { title: "Refines", cost: "It costs nothing." },
  uncertain: { title: "? may conflict", cost: "In doubt, and doubt costs nothing." },
};

export function Conflict({ scope, conflict, draft, done = false }: { scope: string; conflict: ConflictView; draft: string; done?: boolean }) {
  const kind = KINDS[conflict.kind] ?? { title: conflict.kind, cost: "" };
  return (
    <article className="conflict" data-kind={conflict.kind}>
      <h3>{kind.title}</h3>
      <div className="quotes">
        <blockquote>
          <span className="muted">yours</span>
          <Text text={conflict.draft_quote === "" ? draft : conflict.draft_quote} />
        </blockquote>
        <span className="break" aria-hidden="true" />
        <blockquote>
          <span className="muted">
            <Link to={to.memory(scope, conflict.memory_id)}>stored</Link>
          </span>
          <Text text={conflict.stored_quote === "" ? conflict.content : conflict.stored_quote} />
        </blockquote>
      </div>
      <p>
        <bdi dir="auto">{conflict.reason}</bdi>
      </p>
      {!done && <p className="muted">{kind.cost}</p>}
    </article>
  );
}

export function Changes({ scope, changes }: { readonly scope: string; readonly changes: readonly TrustChange[] }) {
  const named = useMemories(
    scope,
    changes.map((change) => change.memory_id),
  );
  if (changes.length === 0) return null;
  return (
    <ul className="changes" aria-label="Trust that moved">
      {changes.map((change) => (
        <li key={`${change.memory_id} ${change.hop}`}>
          <Trust trust={change.after} before={change.before} source="trust before and after, from the reply" />
          <span className="muted">
            {change.hop === 0 ? "the contradicted one" : `${change.hop} hop${change.hop === 1 ? "" : "s"} down the lineage`}
          </span>
          <Link to={to.memory(scope, change.memory_id)}>
            <Text text={named.value?.get(change.memory_id)?.memory.content ?? `memory ${change.memory_id}`} brief />
          </Link>
        </li>
      ))}
    </ul>
  );
}
