/** Which screen an address shows, and in which scope. */

import { useEffect, useState } from "react";
import { api, asProblem } from "./api/client";
import type { Problem } from "./api/errors";
import { onToken } from "./api/token";
import { Landing } from "./landing/Landing";
import { LiveScope } from "./live/live";
import { Empty, Failed, Loading } from "./parts/States";
import { Link, navigate, useRoute } from "./router";
import { to, type Route } from "./routes";
import { AskScreen } from "./screens/Ask";
import { EntitiesScreen } from "./screens/Entities";
import { EntityScreen } from "./screens/Entity";
import { GraphScreen } from "./screens/Graph";
import { HealthScreen } from "./screens/Health";
import { HomeScreen } from "./screens/Home";
import { MemoryScreen } from "./screens/Memory";
import { RememberScreen } from "./screens/Remember";
import { Welcome } from "./screens/Welcome";
import { Shell } from "./shell/Shell";
import { Messages } from "./shell/tell";
import { keep, kept } from "./storage";
import { TokenPrompt, useNeedsToken } from "./shell/TokenPrompt";

const LAST = "hydramind.scope";

type Placed = Exclude<Route, { page: "landing" }>;

export function App() {
  const route = useRoute();
  useEffect(() => {
    document.title = titleOf(route);
  }, [route]);
  return <Messages>{route.page === "landing" ? <Landing /> : <Pages route={route} />}</Messages>;
}

function Pages({ route }: { readonly route: Placed }) {
  const needsToken = useNeedsToken();
  const { scope } = route;
  useEffect(() => {
    if (scope !== "") keep(LAST, scope);
  }, [scope]);
  return (
    <LiveScope scope={needsToken ? "" : scope}>
      <Shell route={route} scope={scope}>
        {needsToken ? <TokenPrompt /> : scope === "" && route.page !== "health" ? <Choose route={route} /> : <Screen route={route} />}
      </Shell>
    </LiveScope>
  );
}

function Screen({ route }: { readonly route: Placed }) {
  switch (route.page) {
    case "home":
      return <HomeScreen scope={route.scope} />;
    case "ask":
      return <AskScreen scope={route.scope} q={route.q} about={route.about} asOf={route.asOf} />;
    case "remember":
      return <RememberScreen key={route.scope + route.text} scope={route.scope} text={route.text} />;
    case "memory":
      return <MemoryScreen key={route.scope + route.id} scope={route.scope} id={route.id} tab={route.tab} revising={route.revising} />;
    case "entities":
      return <EntitiesScreen scope={route.scope} />;
    case "entity":
      return <EntityScreen scope={route.scope} name={route.name} />;
    case "graph":
      return <GraphScreen route={route} />;
    case "health":
      return <HealthScreen />;
    case "lost":
      return (
        <Empty title="There is no page at this address" first>
          <p>
            Go to the <Link to={to.home(route.scope)}>overview</Link> or <Link to={to.ask(route.scope)}>ask</Link>.
          </p>
        </Empty>
      );
  }
}

/** An address without a scope: the last one used, else the newest one there is, else how to begin. */
function Choose({ route }: { readonly route: Placed }) {
  const [state, setState] = useState<"asking" | "none" | Problem>("asking");
  const [asked, setAsked] = useState(0);
  useEffect(() => onToken(() => setAsked((before) => before + 1)), []);
  useEffect(() => {
    const ending = new AbortController();
    api
      .scopes(ending.signal)
      .then((scopes) => {
        if (ending.signal.aborted) return;
        const last = kept(LAST);
        const chosen = scopes.find((one) => one.name === last) ?? scopes.at(-1);
        if (chosen === undefined) setState("none");
        else navigate({ ...route, scope: chosen.name }, { replace: true });
      })
      .catch((error: unknown) => {
        if (!ending.signal.aborted) setState(asProblem(error));
      });
    return () => ending.abort();
  }, [asked, route]);
  if (state === "asking") return <Loading what="the scopes" />;
  if (state === "none") return <Welcome />;
  return <Failed problem={state} what="The scopes could not be read" onAgain={() => setAsked(asked + 1)} first />;
}

function titleOf(route: Route): string {
  switch (route.page) {
    case "landing":
      return "HydraMind";
    case "ask":
      return route.q === "" ? "Ask · HydraMind" : `${route.q} · HydraMind`;
    case "entity":
      return `${route.name} · HydraMind`;
    case "memory":
      return `Memory ${route.id} · HydraMind`;
    case "lost":
      return "Not found · HydraMind";
    case "home":
      return `${route.scope === "" ? "Overview" : route.scope} · HydraMind`;
    default:
      return `${route.page.charAt(0).toUpperCase()}${route.page.slice(1)} · HydraMind`;
  }
}
