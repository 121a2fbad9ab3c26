/** Loading, failed and empty: each says what happened, what was kept and what to do. */

import type { ReactNode } from "react";
import type { Problem } from "../api/errors";

export function Loading({ lines = 3, what }: { readonly lines?: number; readonly what: string }) {
  return (
    <div className="loading" role="status">
      <span className="unseen">Loading {what}</span>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className="loading-line" aria-hidden="true" />
      ))}
    </div>
  );
}

interface FailedProps {
  readonly problem: Problem;
  readonly what: string;
  readonly onAgain?: () => void;
  readonly kept?: string;
}

export function Failed({ problem, what, onAgain, kept = "Nothing was changed." }: FailedProps) {
  return (
    <div className="notice" data-kind="error" role="alert">
      <h2 className="notice-title">{what}</h2>
      <p>
        <bdi dir="auto">{problem.field === "" ? problem.message : `${problem.field}: ${problem.message}`}</bdi>
      </p>
      <p className="muted">
        {kept} {problem.retryable ? "It may work when you try again." : ""}
      </p>
      {onAgain && (
        <button type="button" onClick={onAgain}>
          Try again
        </button>
      )}
    </div>
  );
}

export function Empty({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="empty">
      <h2 className="empty-title">{title}</h2>
      {children}
    </div>
  );
}
