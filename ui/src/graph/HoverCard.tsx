/** What the node under the pointer says, beside it; the pointer goes through it. */

import { useLayoutEffect, useRef } from "react";
import { Status } from "../parts/Marks";
import { Trust } from "../parts/Trust";
import type { GraphNode } from "./types";

/** A node and where it is drawn, in pixels from the corner of the drawing. */
export interface Pointed {
  readonly node: GraphNode;
  readonly x: number;
  readonly y: number;
}

const GAP = 18;
/** Characters that fit; the whole text is in the card of the chosen node. */
const MOST = 400;

export function HoverCard({ node, x, y }: Pointed) {
  const card = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current: element } = card;
    const parent = element?.offsetParent;
    if (!element || !parent) return;
    const left = x + GAP + element.offsetWidth > parent.clientWidth ? x - GAP - element.offsetWidth : x + GAP;
    const top = Math.min(Math.max(8, y - 20), parent.clientHeight - element.offsetHeight - 8);
    element.style.transform = `translate(${Math.round(Math.max(8, left))}px, ${Math.round(top)}px)`;
  });
  return (
    <div ref={card} className="graph-hover" aria-hidden="true">
      <div className="text graph-hover-text" dir="auto">
        {node.text.slice(0, MOST)}
      </div>
      <span className="graph-hover-facts">
        {node.label === "Entity" ? "entity" : <Status status={node.status} />}
        {node.trust != null && <Trust trust={node.trust} />}
      </span>
    </div>
  );
}
