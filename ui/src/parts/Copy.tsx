/** A command line with a button that copies it. */

import { useEffect, useState } from "react";

export function Command({ line, label }: { readonly line: string; readonly label: string }) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), 2_000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () => {
    // A page read over plain HTTP from another machine has no clipboard.
    const clipboard: Clipboard | undefined = navigator.clipboard;
    (clipboard?.writeText(line) ?? Promise.reject(new Error("no clipboard"))).then(
      () => setState("copied"),
      () => setState("failed"),
    );
  };
  return (
    <div className="command">
      <code tabIndex={0}>{line}</code>
      <button type="button" className="quiet" onClick={copy} aria-label={`Copy: ${label}`}>
        {state === "copied" ? "Copied" : state === "failed" ? "Select it" : "Copy"}
      </button>
      <span className="unseen" role="status">
        {state === "copied" ? "Copied" : state === "failed" ? "Copying is not allowed here; select the line instead" : ""}
      </span>
    </div>
  );
}
