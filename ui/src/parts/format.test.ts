import { expect, test } from "vitest";
import { instant, localField } from "./format";

test.each(["2026-03-01T10:00:00Z", "2024-02-29T23:59:00Z", "1970-01-01T00:00:00Z", "2026-10-25T00:30:00Z"])("a field holds %s and gives it back", (iso) => {
  expect(localField(iso)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/);
  expect(instant(localField(iso))).toBe(iso);
});

test("a moment keeps its zone, one without is UTC, and seconds are left out", () => {
  const field = localField("2026-03-01T10:00:00Z");
  expect(localField("2026-03-01T12:00:00+02:00")).toBe(field);
  expect(localField("2026-03-01T10:00")).toBe(field);
  expect(localField("2026-03-01T10:00:59.5Z")).toBe(field);
});

test.each(["", "yesterday", "2026-13-01T00:00:00Z"])("%j is no moment, and an empty field asks for none", (text) => {
  expect(localField(text)).toBe("");
  expect(instant("")).toBe("");
});
