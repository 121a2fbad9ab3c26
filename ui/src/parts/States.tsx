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
  /** It stands for the whole screen: its title is the page's heading. */
  readonly first?: boolean;
}

export function Failed({ problem, what, onAgain, kept = "Nothing was changed.", first = false }: FailedProps) {
  const Title = first ? "h1" : "h2";
  return (
    <div className="notice" data-kind="error" role="alert">
      <Title className="notice-title">{what}</Title>
      <p>
        <bdi dir="auto">{problem.field === "" || problem.message.startsWith(`${problem.field}: `) ? problem.message : `${problem.field}: ${problem.message}`}</bdi>
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

export function Empty({ title, children, first = false }: { readonly title: string; readonly children: ReactNode; readonly first?: boolean }) {
  const Title = first ? "h1" : "h2";
  return (
    <div className="empty">
      <Title className="empty-title">{title}</Title>
      {children}
    </div>
  );
}
