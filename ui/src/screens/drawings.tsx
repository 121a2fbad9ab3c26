/** What is loaded when it is opened: the drawings, and the relations with their form. */

import { Component, Suspense, lazy, type ReactNode } from "react";
import type { Trace } from "../api/types";
import { Failed, Loading } from "../parts/States";
import { asProblem } from "../api/client";

export const Panel = lazy(() => import("../graph").then((graph) => ({ default: graph.GraphPanel })));

const LazyPaths = lazy(() => import("../graph/PathsView").then((graph) => ({ default: graph.PathsView })));

export function PathsDrawing(props: { readonly trace: Trace; readonly onSelect: (id: string, label: string) => void }) {
  return (
    <Drawn what="the paths">
      <LazyPaths {...props} />
    </Drawn>
  );
}

export const Relations = lazy(() => import("./Relations").then((screen) => ({ default: screen.Relations })));

/** What cannot be loaded or drawn must not take the page with it. */
export class Drawn extends Component<{ readonly what: string; readonly children: ReactNode }, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error !== null) {
      return <Failed problem={asProblem(this.state.error)} what={`Showing ${this.props.what} failed`} onAgain={() => this.setState({ error: null })} />;
    }
    return <Suspense fallback={<Loading what={this.props.what} />}>{this.props.children}</Suspense>;
  }
}
