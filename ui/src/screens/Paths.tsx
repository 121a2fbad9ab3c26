/** The evidence paths out of a memory, walked in the graph itself; drawn, and as a list. */

import { api } from "../api/client";
import type { PathStep, TracePath } from "../api/types";
import { useLive } from "../live/live";
import { useReply } from "../live/reply";
import { counted } from "../parts/format";
import { Rows } from "../parts/List";
import { hasDirection, relationWords } from "../parts/relations";
import { Empty, Failed, Loading } from "../parts/States";
import { Text } from "../parts/Text";
import { Link, navigate } from "../router";
import { to } from "../routes";
import { PathsDrawing } from "./drawings";

const STEP_WORDS: Readonly<Record<string, string>> = {
  ABOUT: "is about",
  DERIVED_FROM: "rests on",
  CONTRADICTS: "contradicts",
  SUPERSEDED_BY: "was replaced by",
  TRUST_DECAY: "took trust from",
  TRUST_RESTORE: "gave trust back to",
};

export function Paths({ scope, id }: { readonly scope: string; readonly id: string }) {
  const live = useLive();
  const trace = useReply(`trace ${scope} ${id}`, live.version, (signal) =>
    api.trace({ memory_id: id, scope, max_hops: 2, max_paths: 20 }, signal),
  );
  if (!trace.value) {
    return trace.problem ? <Failed problem={trace.problem} what="The paths could not be walked" onAgain={trace.again} /> : <Loading what="the paths" />;
  }
  const { paths, truncated, max_hops, max_paths } = trace.value;
  if (paths.length === 0) {
    return (
      <Empty title="No path leads away from it">
        <p>It names no entity, rests on nothing, nothing rests on or contradicts it, and nothing was declared of it.</p>
      </Empty>
    );
  }
  const open = (node: string, label: string, text: string) =>
    navigate(label === "Entity" ? to.entity(scope, text) : to.memory(scope, node, "paths"));
  const names = new Map(paths.flatMap((path) => path.nodes.map((node) => [node.id, node.text] as const)));
  return (
    <div className="paths">
      <PathsDrawing trace={trace.value} onSelect={(node, label) => open(node, label, names.get(node) ?? "")} />
      <p className="muted">
        {counted(paths.length, "path", "paths")} of up to {counted(max_hops, "hop", "hops")}, shortest first
        {truncated ? `; more exist, the limit used was ${max_paths}` : ""}.
      </p>
      <Rows label="Evidence paths, shortest first" ordered className="path-list">
        {paths.map((path, index) => (
          <li key={index}>
            <Path scope={scope} path={path} />
          </li>
        ))}
      </Rows>
    </div>
  );
}

function Path({ scope, path }: { readonly scope: string; readonly path: TracePath }) {
  return (
    <p className="path">
      {path.nodes.map((node, index) => {
        const step = path.steps[index - 1];
        const entity = node.label === "Entity";
        return (
          <span key={index} className="path-part">
            {step && (
              <span className="path-step">
                {stepWords(step, step.end === node.id)}
              </span>
            )}
            {index === 0 ? (
              <span className="muted">this memory</span>
            ) : (
              <Link
                {...(index === path.nodes.length - 1 ? { "data-row": "" } : {})}
                className={entity ? "chip" : "path-memory"}
                to={entity ? to.entity(scope, node.text) : to.memory(scope, node.id, "paths")}
              >
                <Text text={node.text} brief />
              </Link>
            )}
          </span>
        );
      })}
    </p>
  );
}

/** A step in words, with an arrow that points the way it is stored, where it has a direction. */
function stepWords(step: PathStep, forward: boolean): string {
  const declared = step.type === "RELATES";
  const words = declared ? relationWords(step.relation, true) : (STEP_WORDS[step.type] ?? step.type.toLowerCase().replaceAll("_", " "));
  if (declared && !hasDirection(step.relation)) return `— ${words} —`;
  return forward ? `${words} →` : `← ${words}`;
}
