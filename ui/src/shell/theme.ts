/** Light, dark, or what the system says. */

import { useCallback, useState } from "react";

export type Theme = "system" | "light" | "dark";
const KEY = "hydramind.theme";
const NEXT: Readonly<Record<Theme, Theme>> = { system: "light", light: "dark", dark: "system" };

export function useTheme(): { readonly theme: Theme; readonly turn: () => void } {
  const [theme, setTheme] = useState<Theme>(stored);
  const turn = useCallback(() => {
    const next = NEXT[stored()];
    if (next === "system") {
      localStorage.removeItem(KEY);
      delete document.documentElement.dataset["theme"];
    } else {
      localStorage.setItem(KEY, next);
      document.documentElement.dataset["theme"] = next;
    }
    setTheme(next);
  }, []);
  return { theme, turn };
}

function stored(): Theme {
  const value = localStorage.getItem(KEY);
  return value === "light" || value === "dark" ? value : "system";
}
