import { expect, test } from "vitest";
import { href, parse, TABS, to, type Route } from "./routes";

const SCOPE = "team / Ünïcode & 50% ?";

const ROUTES: readonly Route[] = [
  { page: "landing" },
  to.home(SCOPE),
  to.home(""),
  to.ask(SCOPE, "What does A&B use? 100%", ["a/b", "c&d"]),
  to.ask(SCOPE, "where then?", [], "2026-03-01T10:00:00+02:00"),
  to.remember(SCOPE, "x = <script>\n#?"),
  ...TABS.map((tab) => to.memory(SCOPE, "9223372036854775807", tab)),
  to.entities(SCOPE),
  ...["mailer", "a/b", "50%", "..", ".", "…", "#1 ?x=y", "日本"].map((name) => to.entity(SCOPE, name)),
  to.memory(SCOPE, "7", "paths", true),
  { page: "graph", scope: SCOPE, focus: "12", node: "13", q: "mailer", hide: ["ABOUT", "CONTRADICTS"], orphans: false, mode: "2d" },
  to.graph(SCOPE),
  to.health(SCOPE),
];

test.each(ROUTES)("an address leads back to its route: %j", (route) => {
  expect(parse(new URL(href(route), "http://127.0.0.1:8788"))).toEqual(route);
});

test.each(["/app/nope", "/app/memory/12x", "/app/memory", "/app/ask/more", "/other", "/app/entity/a/b"])("%s is no page", (path) => {
  expect(parse(new URL(path, "http://127.0.0.1:8788")).page).toBe("lost");
});

test("a moment asked for stands in the address as the API names it, and now is left out", () => {
  expect(href(to.ask("s", "x", [], "2026-03-01T10:00:00Z"))).toBe("/app/ask?scope=s&q=x&as_of=2026-03-01T10%3A00%3A00Z");
  expect(href(to.ask("s", "x"))).toBe("/app/ask?scope=s&q=x");
});

test("an unknown tab is the story", () => {
  expect(parse(new URL("http://127.0.0.1/app/memory/1?tab=zzz"))).toMatchObject({ page: "memory", tab: "story" });
});

test("a broken escape is taken as it stands", () => {
  expect(parse(new URL("http://127.0.0.1/app/entity/50%"))).toMatchObject({ page: "entity", name: "50%" });
});
