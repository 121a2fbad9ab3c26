import { expect, test } from "vitest";
import { follow, Frames, type StreamState } from "./stream";
import type { Event } from "./types";

function event(revision: number): Event {
  return { scope: "s", revision, verb: "remember", at: "2026-01-01T00:00:00Z", memory_ids: [] };
}

function frame(revision: number): string {
  return `id: ${revision}\ndata: ${JSON.stringify(event(revision))}\n\n`;
}

/** Follow a server that plays one script of chunks a connection; what was asked for, handed on and told. */
async function run(after: number, scripts: readonly (readonly string[] | Error)[]) {
  const asked: number[] = [];
  const handed: number[] = [];
  const states: [StreamState, unknown][] = [];
  const ending = new AbortController();
  await follow(
    after,
    {
      open: async (last) => {
        asked.push(last);
        const script = scripts[asked.length - 1] ?? [];
        if (script instanceof Error) throw script;
        return (async function* () {
          yield* script;
        })();
      },
      onEvent: (found) => handed.push(found.revision),
      onState: (state, reason) => states.push([state, reason]),
      wait: async () => {
        if (asked.length === scripts.length) ending.abort();
      },
    },
    ending.signal,
  );
  return { asked, handed, states };
}

test("a frame is the same wherever the network cuts it", () => {
  const text = `retry: 2000\n\n: still here\n\n${frame(1)}event: problem\r\ndata: {"error":{}}\r\n\r\n`;
  const whole = new Frames().push(text);
  const byCharacter = new Frames();
  expect([...text].flatMap((character) => byCharacter.push(character))).toEqual(whole);
  expect(whole.map((one) => one.type)).toEqual(["message", "problem"]);
});

test("a broken stream is asked for what came after the last event handed on", async () => {
  const { asked, handed } = await run(4, [[frame(5), frame(6).slice(0, 20)], [frame(6), frame(7)]]);
  expect(asked).toEqual([4, 5]);
  expect(handed).toEqual([5, 6, 7]);
});

test("an event that comes twice is handed on once", async () => {
  const { handed } = await run(0, [[frame(1), frame(2), frame(2), frame(1)], [frame(1), frame(2), frame(3)]]);
  expect(handed).toEqual([1, 2, 3]);
});

test("a gap is asked for again instead of being skipped", async () => {
  const { asked, handed } = await run(0, [[frame(1), frame(3)], [frame(2), frame(3)]]);
  expect(asked).toEqual([0, 1]);
  expect(handed).toEqual([1, 2, 3]);
});

test("a problem frame ends the stream and is told", async () => {
  const { states } = await run(0, [[frame(1), 'event: problem\ndata: {"error":{"code":"unavailable"}}\n\n', frame(2)]]);
  expect(states.at(-1)).toEqual(["broken", '{"error":{"code":"unavailable"}}']);
});

test("a server that cannot be reached is tried again from the same place", async () => {
  const down = new Error("down");
  const { asked, states } = await run(9, [down, down, [frame(10)]]);
  expect(asked).toEqual([9, 9, 9]);
  expect(states.map(([state]) => state)).toEqual(["connecting", "broken", "connecting", "broken", "connecting", "live", "broken"]);
});
