/** Which labels are shown: in order of worth, none over another. */

/** A label that asks for room: centre x, top y, and its size in pixels. */
export interface LabelBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const CELL = 64;

/** The taken room of one picture, looked up by cells of the screen. */
export class Room {
  readonly #cells = new Map<number, LabelBox[]>();

  /** Takes the room and returns true, or false when something stands there already. */
  take(box: LabelBox): boolean {
    const cells = [...cellsOf(box)];
    if (cells.some((cell) => this.#cells.get(cell)?.some((other) => overlap(box, other)))) return false;
    for (const cell of cells) {
      const boxes = this.#cells.get(cell);
      if (boxes) boxes.push(box);
      else this.#cells.set(cell, [box]);
    }
    return true;
  }
}

export function overlap(a: LabelBox, b: LabelBox): boolean {
  return (
    Math.abs(a.x - b.x) * 2 < a.width + b.width && a.y < b.y + b.height && b.y < a.y + a.height
  );
}

function* cellsOf({ x, y, width, height }: LabelBox): Generator<number> {
  for (let row = Math.floor(y / CELL); row <= Math.floor((y + height) / CELL); row++) {
    const last = Math.floor((x + width / 2) / CELL);
    for (let column = Math.floor((x - width / 2) / CELL); column <= last; column++) yield row * 4096 + column;
  }
}

const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu;
const PILED_MARKS = /(\p{M}{2})\p{M}+/gu;

/**
 * One line of at most `length` characters for the drawing: white space folded, unseen and direction marks left out, at most
 * two marks on a letter. The whole text is on the page of the node.
 */
export function labelText(text: string, length: number): string {
  const line = text.slice(0, 400).replace(/\s+/gu, " ").replace(UNSEEN, "").replace(PILED_MARKS, "$1").trim();
  const letters = [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(line)];
  if (letters.length <= length && text.length <= 400) return line;
  return `${letters.slice(0, length - 1).map((letter) => letter.segment).join("").trimEnd()}…`;
}
