/** The graph screen: toolbar, drawing, legend, the chosen node, and the list of what is shown. */

import { type KeyboardEvent, useCallback, useDeferredValue, useImperativeHandle, useMemo, useRef, useState } from "react";
import { count } from "../parts/format";
import { GraphView } from "./GraphView";
import { Legend } from "./Legend";
import { type Network, networkOf, type Shown, shownOf } from "./network";
import { NodeCard } from "./NodeCard";
import { NodeList } from "./NodeList";
import { Toolbar } from "./Toolbar";
import { FAMILIES, type Family, type GraphHandle, type GraphPanelProps } from "./types";

export function GraphPanel(props: GraphPanelProps) {
  const { scope, data, pulse, selected, onSelect, onOpen, settings, onSettings, focus = null, ref } = props;
  const { families, showOrphans, mode } = settings;
  const [search, setSearch] = useState("");
  const drawing = useRef<GraphHandle>(null);
  const panel = useRef<HTMLDivElement>(null);
  const sought = useDeferredValue(search);
  const network = useMemo(() => networkOf(data), [data]);
  const shown = useMemo(() => shownOf(network, { families, showOrphans, mode }), [network, families, showOrphans, mode]);
  const found = useMemo(() => foundIn(network, shown, sought), [network, shown, sought]);
  const counts = useMemo(() => countsOf(network), [network]);
  useImperativeHandle(ref, () => drawing.current!);

  const pick = useCallback(
    (id: string) => {
      onSelect(id);
      drawing.current?.goTo(id);
    },
    [onSelect],
  );
  const find = () => {
    const first = network.nodes[foundIn(network, shown, search)[0] ?? -1];
    if (first && search) pick(first.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "/" || event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return;
    event.preventDefault();
    event.stopPropagation();
    panel.current?.querySelector<HTMLInputElement>(".graph-search")?.focus();
  };
  const chosen = selected === null ? undefined : network.indexOf.get(selected);
  const left = data.total_memories - network.forms.filter((form) => form !== 3).length;

  return (
    <div ref={panel} className="graph-panel" onKeyDown={onKeyDown}>
      <Toolbar
        settings={settings}
        onSettings={onSettings}
        counts={counts}
        onFit={() => drawing.current?.fit()}
      />
      <div className="graph-stage">
        <GraphView
          ref={drawing}
          scope={scope}
          data={data}
          pulse={pulse}
          selected={selected}
          onSelect={onSelect}
          onOpen={onOpen}
          families={families}
          showOrphans={showOrphans}
          mode={mode}
          focus={focus}
        />
        <Legend />
        {left > 0 && <p className="graph-left">{count(left)} older memories are not drawn</p>}
      </div>
      <aside className="graph-side" aria-label="Nodes">
        <form
          className="graph-find"
          role="search"
          aria-label="Search what is shown"
          onSubmit={(event) => {
            event.preventDefault();
            find();
          }}
        >
          <input
            className="graph-search"
            type="search"
            aria-label="Search what is shown"
            placeholder="Search what is shown"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </form>
        {chosen !== undefined && (
          <NodeCard
            network={network}
            shown={shown}
            index={chosen}
            onPick={pick}
            onOpen={onOpen}
            onClose={() => onSelect(null)}
          />
        )}
        <NodeList network={network} shown={shown} found={found} selected={selected} onPick={pick} />
      </aside>
    </div>
  );
}

/** Indices of shown nodes whose text holds every word of `search`, in the order of labels. */
function foundIn(network: Network, shown: Shown, search: string): readonly number[] {
  const words = search.toLocaleLowerCase().split(/\s+/u).filter(Boolean);
  if (words.length === 0) return [...shown.order];
  return [...shown.order].filter((index) => {
    const text = network.nodes[index]!.text.toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function countsOf(network: Network): Record<Family, number> {
  return Object.fromEntries(FAMILIES.map((family) => [family, network.links[family].length / 2])) as Record<Family, number>;
}
