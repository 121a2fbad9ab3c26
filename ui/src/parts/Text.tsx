/** Memory text: a text node in the reading face, complete, isolated from the direction of what stands around it. */

import { useState } from "react";
import { count } from "./format";

const LONG = 600;
const LINES = 12;
// Marks that change how a line reads without being seen.
const DIRECTION = /[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/u;

interface TextProps {
  readonly text: string;
  readonly large?: boolean;
  /** One short line for tight places; the whole text stays in the title and on its own page. */
  readonly brief?: boolean;
}

export function Text({ text, large = false, brief = false }: TextProps) {
  const [open, setOpen] = useState(false);
  if (brief) {
    return (
      <bdi className="text text-brief" dir="auto" title={text.slice(0, 2_000)}>
        {text.slice(0, 300)}
      </bdi>
    );
  }
  const long = text.length > LONG || text.split("\n", LINES + 1).length > LINES;
  return (
    <div className={large ? "text text-large" : "text"}>
      <div className={long && !open ? "text-body text-clamped" : "text-body"} dir="auto">
        {long && !open ? text.slice(0, 4_000) : text}
      </div>
      {DIRECTION.test(text) && <p className="text-note">This text holds marks that change its reading direction.</p>}
      {long && (
        <button type="button" className="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Show less" : `Show all ${count(text.length)} characters`}
        </button>
      )}
    </div>
  );
}
