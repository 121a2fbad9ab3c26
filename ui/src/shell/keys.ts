/** The keys of the pages: one listener, one table, off while a person types. */

import { useEffect, useRef } from "react";

export type Keys = Readonly<Record<string, () => void>>;

const TYPING = "input, textarea, select, [contenteditable]";

/** While mounted, each key of the table does its thing; the newest mounted table wins. */
export function useKeys(keys: Keys): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    const entry = { of: () => current.current };
    tables.push(entry);
    if (tables.length === 1) window.addEventListener("keydown", onKey);
    return () => {
      tables.splice(tables.indexOf(entry), 1);
      if (tables.length === 0) window.removeEventListener("keydown", onKey);
    };
  }, []);
}

const tables: { readonly of: () => Keys }[] = [];

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest(TYPING)) {
    if (event.key === "Escape" && target instanceof HTMLElement && !target.closest("dialog")) target.blur();
    return;
  }
  if (document.querySelector("dialog[open]")) return;
  const action = tables.map((table) => table.of()[event.key]).findLast((found) => found !== undefined);
  if (action === undefined) return;
  event.preventDefault();
  action();
}
