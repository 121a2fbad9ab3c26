/** Numbers and times as text. Nothing is rounded in a way that could reorder: a figure keeps every digit the API gave. */

/** At least two decimals, and all that are there: 0.6 is `0.60`, 0.857143 stays. */
export function exact(value: number): string {
  const text = String(value);
  const decimals = text.split(".")[1]?.length ?? 0;
  return decimals < 2 ? value.toFixed(2) : text;
}

export function count(value: number): string {
  return value.toLocaleString("en-US");
}

/** `1 memory`, `2 memories`. */
export function counted(value: number, one: string, many: string): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

export type Band = "high" | "mid" | "low";

/** The colour bands of design.md; presentation only. */
export function bandOf(trust: number): Band {
  return trust >= 0.8 ? "high" : trust >= 0.4 ? "mid" : "low";
}

/** A moment as the person's own clock shows it, to the minute. */
export function moment(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return date.toLocaleString(undefined, {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  });
}

/** ISO 8601 as a field for date and time holds it, on the person's own clock and to the minute; empty for what is no moment. */
export function localField(iso: string): string {
  // The server takes a time without a zone for UTC, the browser for local time.
  const date = new Date(/T[^Z+-]*$/.test(iso) ? `${iso}Z` : iso);
  const year = date.getFullYear();
  if (Number.isNaN(year) || year < 1 || year > 9_999) return "";
  const two = (value: number) => String(value).padStart(2, "0");
  const dayOfYear = `${String(year).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${dayOfYear}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The moment in such a field as ISO 8601 in UTC; empty when the field is. */
export function instant(local: string): string {
  return local === "" ? "" : new Date(local).toISOString().replace(".000Z", "Z");
}

/** A day, for axes. */
export function day(ms: number): string {
  return new Date(ms).toLocaleDateString(undefined, { year: "numeric", month: "short", day: "numeric" });
}

/** A clock time with seconds, for axes that span minutes. */
export function clockTime(ms: number): string {
  return new Date(ms).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
}

export function bytes(value: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let amount = value;
  let unit = 0;
  while (amount >= 1000 && unit < units.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? amount : amount.toFixed(1)} ${units[unit]}`;
}
