import { expect, test } from "vitest";
import { hasDirection, RELATIONS, relationWords } from "./relations";

test.each(RELATIONS)("%s has words from both ends, and a direction unless it reads the same from both", (name) => {
  const [outward, inward] = [relationWords(name, true), relationWords(name, false)];
  for (const words of [outward, inward]) expect(words).toMatch(/^[a-z]+( [a-z]+)*$/);
  expect(hasDirection(name)).toBe(outward !== inward);
});

test("only an analogy has no direction", () => {
  expect(RELATIONS.filter((name) => !hasDirection(name))).toEqual(["analogous_to"]);
});

test("several relations of one pair are read one after the other, with a direction when one of them has it", () => {
  expect(relationWords("analogous_to, supports", false)).toBe("analogous to and supported by");
  expect(hasDirection("analogous_to, supports")).toBe(true);
});

test("a name that is not known is shown as it is called; none at all has no direction", () => {
  expect(relationWords("grew_out_of", false)).toBe("grew out of");
  expect(hasDirection("grew_out_of")).toBe(true);
  expect(relationWords("", true)).toBe("related to");
  expect(hasDirection("")).toBe(false);
});
