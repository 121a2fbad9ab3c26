/** The drawing of a scope: a canvas that fills its parent, steered by pointer, touch and keys, spoken for screen readers. */

import { type KeyboardEvent, useEffect, useId, useImperativeHandle, useMemo, useRef, useState } from "react";
import { HoverCard, type Pointed } from "./HoverCard";
import { press, type Walk } from "./keys";
import { networkOf, shownOf } from "./network";
import { Stage } from "./stage";
import type { GraphViewProps } from "./types";
import { KEYS, spoken, spokenScope } from "./words";
import "./graph.css";

export function GraphView(props: GraphViewProps) {
  const { scope, data, pulse, selected, onSelect, onOpen, families, showOrphans, mode, focus = null, ref } = props;
  const host = useRef<HTMLDivElement>(null);
  const stage = useRef<Stage | null>(null);
  const walk = useRef<Walk>({ around: -1, last: -1 });
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const help = useId();
  const settings = useMemo(() => ({ families, showOrphans, mode }), [families, showOrphans, mode]);
  const network = useMemo(() => networkOf(data), [data]);
  const shown = useMemo(() => shownOf(network, settings), [network, settings]);

  const latest = useRef({ network, onSelect, onOpen });
  latest.current = { network, onSelect, onOpen };

  useEffect(() => {
    const { current: element } = host;
    if (!element) return;
    const nodeOf = (id: string | null) => {
      const { network } = latest.current;
      return id === null ? undefined : network.nodes[network.indexOf.get(id) ?? -1];
    };
    const drawing = new Stage(element, {
      chosen: (id) => latest.current.onSelect(id),
      opened: (id) => {
        const node = nodeOf(id);
        if (node) latest.current.onOpen(node);
      },
      pointed: (id, x, y) => {
        const node = nodeOf(id);
        setPointed(node ? { node, x, y } : null);
      },
    });
    stage.current = drawing;
    return () => {
      stage.current = null;
      drawing.stop();
    };
  }, []);

  useEffect(() => stage.current?.show(data, settings, network, shown), [data, settings, network, shown]);
  useEffect(() => stage.current?.setPulses(pulse), [pulse]);
  useEffect(() => stage.current?.setChosen(selected), [selected]);
  useEffect(() => {
    if (focus !== null) stage.current?.goTo(focus);
  }, [focus]);
  useImperativeHandle(ref, () => ({
    goTo: (id) => stage.current?.goTo(id),
    fit: () => stage.current?.fit(),
    whereIs: (id) => stage.current?.whereIs(id) ?? null,
  }));

  const chosen = selected === null ? -1 : (network.indexOf.get(selected) ?? -1);
  const chosenNode = network.nodes[chosen];
  const onKeyDown = (event: KeyboardEvent) => {
    if (!stage.current || event.ctrlKey || event.metaKey || event.altKey) return;
    if (press(stage.current, event.key, event.shiftKey, chosen, walk.current)) event.preventDefault();
  };

  return (
    <div className="graph-view">
      <div
        ref={host}
        className="graph-host"
        role="application"
        aria-roledescription="graph"
        aria-label={spokenScope(scope, network, shown)}
        aria-describedby={help}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onFocus={() => stage.current?.setFocused(true)}
        onBlur={() => stage.current?.setFocused(false)}
      />
      <p id={help} className="unseen">
        {KEYS.map(([key, does]) => `${key}: ${does}`).join("; ")}. The list beside the drawing holds the same nodes.
      </p>
      <p className="unseen" aria-live="polite">
        {chosenNode && spoken(chosenNode, shown.neighbours[chosen]?.length ?? 0)}
      </p>
      {pointed && <HoverCard {...pointed} />}
    </div>
  );
}
