/** The frame of the app: where one is, which scope, what else there is, and what goes on. */

import { useEffect, useRef, useState, type ReactNode } from "react";
import { useLive } from "../live/live";
import { Icon, Mark, type IconName } from "../parts/Icon";
import { walk } from "../parts/List";
import { Key } from "../parts/Marks";
import { Link, navigate } from "../router";
import { href, to, type Route } from "../routes";
import { Banner } from "./Banner";
import { DemoBar } from "./DemoBar";
import { Help } from "./Help";
import { useKeys } from "./keys";
import { ScopeDialog } from "./ScopeDialog";
import { useTheme, type Theme } from "./theme";

const PLACES: readonly { readonly name: string; readonly icon: IconName; readonly key: string; readonly pages: readonly string[]; readonly to: (scope: string) => Route }[] = [
  { name: "Overview", icon: "home", key: "h", pages: ["home"], to: to.home },
  { name: "Ask", icon: "ask", key: "/", pages: ["ask"], to: (scope) => to.ask(scope) },
  { name: "Remember", icon: "remember", key: "n", pages: ["remember"], to: (scope) => to.remember(scope) },
  { name: "Entities", icon: "entities", key: "p", pages: ["entities", "entity"], to: to.entities },
  { name: "Graph", icon: "graph", key: "g", pages: ["graph"], to: (scope) => to.graph(scope) },
  { name: "Health", icon: "health", key: "i", pages: ["health"], to: to.health },
];

const THEME_WORDS: Readonly<Record<Theme, string>> = { system: "Theme: auto, as the system", light: "Theme: light", dark: "Theme: dark" };

export function Shell({ route, scope, children }: { readonly route: Route; readonly scope: string; readonly children: ReactNode }) {
  const [open, setOpen] = useState<"help" | "scopes" | null>(null);
  const { theme, turn } = useTheme();
  const main = useRef<HTMLElement>(null);
  const place = route.page === "landing" ? "" : `${route.page} ${"id" in route ? route.id : ""}${"name" in route ? route.name : ""}`;
  const first = useRef(true);

  useEffect(() => {
    // A screen that has a field takes the focus itself.
    if (!first.current && !main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
    first.current = false;
  }, [place]);

  useKeys({
    "?": () => setOpen("help"),
    s: () => setOpen("scopes"),
    t: turn,
    "/": () => focusOr("ask-field", to.ask(scope)),
    n: () => focusOr("remember-field", to.remember(scope)),
    g: () => navigate(to.graph(scope)),
    h: () => navigate(to.home(scope)),
    p: () => navigate(to.entities(scope)),
    i: () => navigate(to.health(scope)),
    j: () => void walk(1),
    k: () => void walk(-1),
    Escape: () => (document.activeElement as HTMLElement | null)?.blur(),
  });

  return (
    <div className="shell" data-page={route.page}>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header className="rail">
        <Link className="brand" to={{ page: "landing" }} aria-label="HydraMind, start page">
          <Mark />
          <span>HydraMind</span>
        </Link>
        <button type="button" className="scope-button" onClick={() => setOpen("scopes")} aria-haspopup="dialog">
          <Icon name="scope" />
          <span className="scope-name">
            <span className="unseen">Scope: </span>
            <bdi dir="auto">{scope === "" ? "choose a scope" : scope}</bdi>
          </span>
          <Key>s</Key>
        </button>
        <nav className="places" aria-label="Pages">
          {PLACES.map((one) => (
            <Link key={one.name} to={one.to(scope)} aria-current={one.pages.includes(route.page) ? "page" : undefined}>
              <Icon name={one.icon} />
              <span>{one.name}</span>
              <Key>{one.key}</Key>
            </Link>
          ))}
        </nav>
        <div className="rail-foot">
          <LiveSign />
          <button type="button" className="quiet icon-button" onClick={turn} aria-label={`${THEME_WORDS[theme]}; change`} title={`${THEME_WORDS[theme]} (t)`}>
            <Icon name={theme === "dark" ? "dark" : "light"} />
            {theme === "system" && <span className="icon-note" aria-hidden="true">auto</span>}
          </button>
          <button type="button" className="quiet icon-button" onClick={() => setOpen("help")} aria-label="Keys and help" title="Keys and help (?)">
            <Icon name="help" />
          </button>
        </div>
      </header>
      <div className="stage">
        <Banner />
        <DemoBar scope={scope} />
        <main id="main" ref={main} tabIndex={-1} className="main">
          {children}
        </main>
      </div>
      {open === "help" && <Help onClose={() => setOpen(null)} />}
      {open === "scopes" && <ScopeDialog scope={scope} onClose={() => setOpen(null)} />}
    </div>
  );
}

function LiveSign() {
  const { state, revision, scope } = useLive();
  if (scope === "") return <span className="live" />;
  const words = state === "live" ? "live" : state === "connecting" ? "connecting" : "out of reach";
  return (
    <span className="live" data-state={state} title="The newest change of this scope that has arrived here">
      <span className="live-dot" aria-hidden="true" />
      {words}
      {revision >= 0 && <span className="live-revision">revision {revision}</span>}
    </span>
  );
}

/** Focus the field when its screen is open, else go there. */
function focusOr(id: string, route: Route): void {
  const field = document.getElementById(id);
  if (field && window.location.pathname === new URL(href(route), window.location.origin).pathname) field.focus();
  else navigate(route);
}
