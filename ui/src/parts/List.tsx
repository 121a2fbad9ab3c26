/** Lists that j and k walk through: the chosen row has the focus, Enter opens it. */

import { useCallback, useRef, type KeyboardEvent, type ReactNode } from "react";

interface RowsProps {
  readonly label: string;
  readonly children: ReactNode;
  readonly ordered?: boolean;
  readonly className?: string;
}

/** Rows are its `li`; each row's first link or button with `data-row` takes the focus. */
export function Rows({ label, children, ordered = false, className = "" }: RowsProps) {
  const Tag = ordered ? "ol" : "ul";
  return (
    <Tag className={`rows ${className}`} aria-label={label} data-rows="">
      {children}
    </Tag>
  );
}

/** Move the focus to the next (+1) or previous (-1) row of the page's first list; false when there is none. */
export function walk(step: 1 | -1): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>("main [data-rows] > li")];
  if (rows.length === 0) return false;
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[at < 0 ? (step > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + step))];
  const target = next?.querySelector<HTMLElement>("[data-row]") ?? next?.querySelector<HTMLElement>("a, button");
  target?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "nearest" });
  return target !== null && target !== undefined;
}

/** Left and right move between the tabs of a tab list. */
export function useTabKeys(ids: readonly string[], chosen: string, choose: (id: string) => void) {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = useCallback(
    (event: KeyboardEvent) => {
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (step === 0) return;
      event.preventDefault();
      const next = ids[(ids.indexOf(chosen) + step + ids.length) % ids.length];
      if (next === undefined) return;
      choose(next);
      list.current?.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus();
    },
    [ids, chosen, choose],
  );
  return { list, onKeyDown };
}
