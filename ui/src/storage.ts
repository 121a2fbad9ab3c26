/** What the browser keeps for the pages; where storage is forbidden nothing is kept and nothing fails. */

type Place = "localStorage" | "sessionStorage";

export function kept(key: string, place: Place = "localStorage"): string | null {
  try {
    return window[place].getItem(key);
  } catch {
    return null;
  }
}

/** Keep a value; null drops it. */
export function keep(key: string, value: string | null, place: Place = "localStorage"): void {
  try {
    if (value === null) window[place].removeItem(key);
    else window[place].setItem(key, value);
  } catch {
    // A page without storage works; it only forgets with its tab.
  }
}
