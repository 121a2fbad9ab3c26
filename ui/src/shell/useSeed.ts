/** One click: a demo scope of one's own, opened on its overview. */

import { useState } from "react";
import { api, asProblem } from "../api/client";
import type { Problem } from "../api/errors";
import { navigate } from "../router";
import { to } from "../routes";
import { keepSeed } from "./demo";

export function useSeed(): { readonly seeding: boolean; readonly problem: Problem | null; readonly seed: () => void } {
  const [seeding, setSeeding] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const seed = () => {
    if (seeding) return;
    setSeeding(true);
    setProblem(null);
    api
      .seedDemo()
      .then((made) => {
        keepSeed(made);
        setSeeding(false);
        navigate(to.home(made.scope));
      })
      .catch((error: unknown) => {
        setProblem(asProblem(error));
        setSeeding(false);
      });
  };
  return { seeding, problem, seed };
}
