/**
 * The drawings with synthetic data. `?nodes=&edges=` say how many, `?theme=dark|light` which colours, `?paths` shows the
 * evidence paths. `window.graphDemo` lets a script add nodes, light a pulse and ask where a node is.
 */

import { useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { DEFAULT_SETTINGS, type GraphHandle, GraphPanel } from "..";
import { PathsView } from "../PathsView";
import { syntheticScope, TRACE, withMore } from "./synthetic";
import "./demo.css";

declare global {
  interface Window {
    graphDemo: {
      add(count: number): void;
      pulse(...ids: string[]): void;
      whereIs(id: string): { readonly x: number; readonly y: number } | null;
      selected(): string | null;
      opened: string[];
    };
  }
}

const asked = new URLSearchParams(location.search);
const number = (name: string, otherwise: number) => Number(asked.get(name) ?? otherwise);
document.documentElement.dataset["theme"] = asked.get("theme") ?? "light";

function Demo() {
  const [data, setData] = useState(() => syntheticScope(number("nodes", 300), number("edges", 700)));
  const [settings, setSettings] = useState(DEFAULT_SETTINGS);
  const [selected, setSelected] = useState<string | null>(asked.get("selected"));
  const [pulse, setPulse] = useState<{ key: string; fired: readonly string[] }[]>([]);
  const drawing = useRef<GraphHandle>(null);
  window.graphDemo = {
    add: (count) => setData((before) => withMore(before, count)),
    pulse: (...fired) => setPulse([{ key: fired.join(), fired }]),
    whereIs: (id) => drawing.current?.whereIs(id) ?? null,
    selected: () => selected,
    opened: window.graphDemo?.opened ?? [],
  };
  return (
    <main className="demo">
      <GraphPanel
        ref={drawing}
        scope="synthetic"
        data={data}
        pulse={pulse}
        selected={selected}
        onSelect={setSelected}
        onOpen={(node) => window.graphDemo.opened.push(node.id)}
        settings={settings}
        onSettings={setSettings}
      />
    </main>
  );
}

createRoot(document.getElementById("root")!).render(
  asked.has("paths") ? <main className="demo-paths"><PathsView trace={TRACE} onSelect={() => {}} /></main> : <Demo />,
);
