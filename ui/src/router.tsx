/** The current route as a value, and links that change it without loading the document again. */

import { useMemo, useSyncExternalStore, type AnchorHTMLAttributes, type MouseEvent } from "react";
import { href, parse, type Route } from "./routes";

const CHANGED = "hydramind:address";

/** Go to a route; `replace` leaves no entry behind. The same address again changes nothing. */
export function navigate(route: Route, how: { readonly replace?: boolean } = {}): void {
  const address = href(route);
  if (address === window.location.pathname + window.location.search) return;
  if (how.replace) window.history.replaceState(null, "", address);
  else window.history.pushState(null, "", address);
  window.dispatchEvent(new Event(CHANGED));
  if (!how.replace) window.scrollTo(0, 0);
}

export function useRoute(): Route {
  const address = useSyncExternalStore(subscribe, () => window.location.href);
  return useMemo(() => parse(new URL(address)), [address]);
}

function subscribe(changed: () => void): () => void {
  window.addEventListener("popstate", changed);
  window.addEventListener(CHANGED, changed);
  return () => {
    window.removeEventListener("popstate", changed);
    window.removeEventListener(CHANGED, changed);
  };
}

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly to: Route;
}

export function Link({ to, onClick, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0;
    if (event.defaultPrevented || elsewhere) return;
    event.preventDefault();
    navigate(to);
  };
  return <a {...rest} href={href(to)} onClick={follow} />;
}
