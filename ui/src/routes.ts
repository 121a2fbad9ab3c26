/** The addresses of the app: every state that a person would want to keep or send has one. */

export const TABS = ["story", "lineage", "relations", "paths", "raw"] as const;
export type Tab = (typeof TABS)[number];

export type Route =
  | { readonly page: "landing" }
  | { readonly page: "home"; readonly scope: string }
  | {
      readonly page: "ask";
      readonly scope: string;
      readonly q: string;
      readonly about: readonly string[];
      /** Ask what was believed at this moment, ISO 8601; empty: now. */
      readonly asOf: string;
    }
  | { readonly page: "remember"; readonly scope: string; readonly text: string }
  | { readonly page: "memory"; readonly scope: string; readonly id: string; readonly tab: Tab; readonly revising: boolean }
  | { readonly page: "entities"; readonly scope: string }
  | { readonly page: "entity"; readonly scope: string; readonly name: string }
  | {
      readonly page: "graph";
      readonly scope: string;
      /** The camera goes there. */
      readonly focus: string;
      /** The chosen node, where it is another than that one. */
      readonly node: string;
      readonly q: string;
      readonly hide: readonly string[];
      readonly orphans: boolean;
      readonly mode: "3d" | "2d";
    }
  | { readonly page: "health"; readonly scope: string }
  | { readonly page: "lost"; readonly scope: string };

/** The route of an address; unknown paths are `lost`, unknown parameters are ignored. */
export function parse(url: URL): Route {
  if (url.pathname === "/") return { page: "landing" };
  const words = url.searchParams;
  const scope = words.get("scope") ?? "";
  const [root, page = "", rest = "", ...more] = url.pathname.split("/").filter((part) => part !== "");
  if (root !== "app" || more.length > 0) return { page: "lost", scope };
  if (page === "memory" && /^\d+$/.test(rest)) return { page, scope, id: rest, tab: tabOf(words.get("tab")), revising: words.get("revise") === "yes" };
  if (page === "entity" && rest !== "") return { page, scope, name: words.get("name") ?? decoded(rest) };
  if (rest !== "") return { page: "lost", scope };
  switch (page) {
    case "":
      return { page: "home", scope };
    case "ask":
      return { page, scope, q: words.get("q") ?? "", about: words.getAll("about"), asOf: words.get("as_of") ?? "" };
    case "remember":
      return { page, scope, text: words.get("text") ?? "" };
    case "graph":
      return {
        page,
        scope,
        focus: words.get("focus") ?? "",
        node: words.get("node") ?? "",
        q: words.get("q") ?? "",
        hide: words.getAll("hide"),
        orphans: words.get("orphans") !== "no",
        mode: words.get("mode") === "2d" ? "2d" : "3d",
      };
    case "entities":
    case "health":
      return { page, scope };
    default:
      return { page: "lost", scope };
  }
}

/** The address of a route, with path and query; parameters at their default are left out. */
export function href(route: Route): string {
  if (route.page === "landing") return "/";
  const words = new URLSearchParams();
  if (route.scope !== "") words.set("scope", route.scope);
  const path = pathOf(route, words);
  const query = words.toString();
  return query === "" ? path : `${path}?${query}`;
}

function pathOf(route: Exclude<Route, { page: "landing" }>, words: URLSearchParams): string {
  switch (route.page) {
    case "home":
    case "lost":
      return "/app";
    case "ask":
      if (route.q !== "") words.set("q", route.q);
      route.about.forEach((name) => words.append("about", name));
      if (route.asOf !== "") words.set("as_of", route.asOf);
      return "/app/ask";
    case "remember":
      if (route.text !== "") words.set("text", route.text);
      return "/app/remember";
    case "memory":
      if (route.tab !== "story") words.set("tab", route.tab);
      if (route.revising) words.set("revise", "yes");
      return `/app/memory/${route.id}`;
    case "entity":
      // A path of dots alone is folded away by every browser, also when it is escaped.
      if (/^\.{1,2}$/.test(route.name)) {
        words.set("name", route.name);
        return "/app/entity/dots";
      }
      return `/app/entity/${encodeURIComponent(route.name)}`;
    case "graph":
      if (route.focus !== "") words.set("focus", route.focus);
      if (route.node !== "") words.set("node", route.node);
      if (route.q !== "") words.set("q", route.q);
      route.hide.forEach((family) => words.append("hide", family));
      if (!route.orphans) words.set("orphans", "no");
      if (route.mode === "2d") words.set("mode", "2d");
      return "/app/graph";
    default:
      return `/app/${route.page}`;
  }
}

export const to = {
  home: (scope: string): Route => ({ page: "home", scope }),
  ask: (scope: string, q = "", about: readonly string[] = [], asOf = ""): Route => ({ page: "ask", scope, q, about, asOf }),
  remember: (scope: string, text = ""): Route => ({ page: "remember", scope, text }),
  memory: (scope: string, id: string, tab: Tab = "story", revising = false): Route => ({ page: "memory", scope, id, tab, revising }),
  entities: (scope: string): Route => ({ page: "entities", scope }),
  entity: (scope: string, name: string): Route => ({ page: "entity", scope, name }),
  graph: (scope: string, focus = "", q = ""): Route => ({
    page: "graph",
    scope,
    focus,
    node: "",
    q,
    hide: [],
    orphans: true,
    mode: "3d",
  }),
  health: (scope: string): Route => ({ page: "health", scope }),
};

function tabOf(word: string | null): Tab {
  return TABS.find((tab) => tab === word) ?? "story";
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
