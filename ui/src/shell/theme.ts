/** Light, dark, or what the system says. */

import { useCallback, useState } from "react";
import { keep, kept } from "../storage";

export type Theme = "system" | "light" | "dark";
const KEY = "hydramind.theme";
const NEXT: Readonly<Record<Theme, Theme>> = { system: "light", light: "dark", dark: "system" };

export function useTheme(): { readonly theme: Theme; readonly turn: () => void } {
  const [theme, setTheme] = useState<Theme>(shown);
  const turn = useCallback(() => {
    const next = NEXT[shown()];
    keep(KEY, next === "system" ? null : next);
    if (next === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = next;
    setTheme(next);
  }, []);
  return { theme, turn };
}

function shown(): Theme {
  const value = document.documentElement.dataset["theme"] ?? kept(KEY);
  return value === "light" || value === "dark" ? value : "system";
}
