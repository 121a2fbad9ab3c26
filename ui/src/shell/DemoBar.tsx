/** In a demo scope only: move its clock, or remove it for good. */

import { useEffect, useState } from "react";
import { api, asProblem } from "../api/client";
import type { DemoClock } from "../api/types";
import { useLive } from "../live/live";
import { counted, moment } from "../parts/format";
import { navigate } from "../router";
import { to } from "../routes";
import { dropSeed, isDemo } from "./demo";
import { useTell } from "./tell";

const STEPS = [1, 7, 30] as const;

export function DemoBar({ scope }: { readonly scope: string }) {
  const { touch } = useLive();
  const tell = useTell();
  const [clock, setClock] = useState<DemoClock | null>(null);
  const demo = isDemo(scope);
  const skip = (days: number) => {
    api
      .skipDays(scope, days)
      .then((moved) => {
        setClock(moved);
        if (days > 0) touch();
      })
      .catch((error: unknown) => tell({ text: asProblem(error).message }));
  };
  useEffect(() => {
    setClock(null);
    if (demo) api.skipDays(scope, 0).then(setClock, () => undefined);
  }, [scope, demo]);
  if (!demo) return null;
  const remove = () => {
    api
      .removeDemo(scope)
      .then((removed) => {
        dropSeed(scope);
        tell({ text: `Removed the demo: ${counted(removed.memories, "memory", "memories")}.` });
        navigate(to.home(""));
      })
      .catch((error: unknown) => tell({ text: asProblem(error).message }));
  };
  return (
    <section className="demo" aria-label="Demo scope">
      <strong>Demo</strong>
      <span className="demo-now">
        {clock ? (
          <>
            its clock: <time dateTime={clock.now}>{moment(clock.now)}</time>
            {clock.skipped_days > 0 && ` (${counted(clock.skipped_days, "day", "days")} ahead)`}
          </>
        ) : (
          "its clock can be moved"
        )}
      </span>
      <span className="demo-steps">
        {STEPS.map((days) => (
          <button key={days} type="button" className="quiet" onClick={() => skip(days)}>
            <span aria-hidden="true">+{days} d</span>
            <span className="unseen">Skip {counted(days, "day", "days")}</span>
          </button>
        ))}
        <button type="button" className="quiet" onClick={remove}>
          Remove
        </button>
      </span>
    </section>
  );
}
