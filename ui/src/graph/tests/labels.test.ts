import { expect, test } from "vitest";
import { type LabelBox, labelText, overlap, Room } from "../labels";

test("labels that got room never overlap", () => {
  const room = new Room();
  const taken: LabelBox[] = [];
  for (let at = 0; at < 2_000; at++) {
    const box = { x: (at * 7919) % 1_000, y: (at * 104_729) % 700, width: 20 + ((at * 31) % 180), height: 15 };
    if (room.take(box)) taken.push(box);
  }
  expect(taken.length).toBeGreaterThan(40);
  for (const [at, box] of taken.entries()) {
    expect(taken.slice(at + 1).filter((other) => overlap(box, other))).toEqual([]);
  }
});

test("a label is one line without marks that hide or turn", () => {
  expect(labelText("  two\n lines\u202e turned\u200b ", 40)).toBe("two lines turned");
  expect(labelText(`z${"\u0301".repeat(50)}algo`, 40).length).toBeLessThan(8);
});

test("a long text is cut between letters and says so", () => {
  expect(labelText("abcdef", 4)).toBe("abc…");
  expect(labelText("👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 2)).toMatch(/…$/u);
  expect(labelText("x".repeat(100_000), 30)).toHaveLength(30);
});
