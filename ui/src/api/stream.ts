/** Server-sent events over fetch: it can carry a token, and it resumes from the last revision that was really handed on. */

import type { Event } from "./types";

export type StreamState = "connecting" | "live" | "broken";

export interface Frame {
  readonly type: string;
  readonly data: string;
}

/** Cuts text into frames however it was split on its way; comments and unknown fields are dropped. */
export class Frames {
  private rest = "";
  private type = "";
  private data: string[] = [];

  push(text: string): Frame[] {
    const lines = (this.rest + text).split("\n");
    this.rest = lines.pop() ?? "";
    return lines.flatMap((line) => this.line(line.endsWith("\r") ? line.slice(0, -1) : line));
  }

  private line(line: string): Frame[] {
    if (line === "") return this.end();
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.type = value;
    if (field === "data") this.data.push(value);
    return [];
  }

  private end(): Frame[] {
    const frame = { type: this.type === "" ? "message" : this.type, data: this.data.join("\n") };
    const filled = this.data.length > 0;
    this.type = "";
    this.data = [];
    return filled ? [frame] : [];
  }
}

export interface Following {
  /** Opens the stream past a revision; its chunks are text. Rejects when it cannot be opened. */
  readonly open: (after: number, signal: AbortSignal) => Promise<AsyncIterable<string>>;
  readonly onEvent: (event: Event) => void;
  /** `reason` is the error of a broken stream, or the data of a `problem` frame. */
  readonly onState: (state: StreamState, reason: unknown) => void;
  /** Waits before the next try; `failures` in a row, 1 for the first. */
  readonly wait: (failures: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Hands on every event past `after` once and in order, for as long as `signal` allows. After a broken stream it asks for
 * what came after the last event handed on; an event seen before is dropped, and a gap breaks the stream so that the
 * missing ones are asked for.
 */
export async function follow(after: number, following: Following, signal: AbortSignal): Promise<void> {
  let last = after;
  let failures = 0;
  while (!signal.aborted) {
    let reason: unknown = null;
    try {
      following.onState("connecting", null);
      const chunks = await following.open(last, signal);
      following.onState("live", null);
      const frames = new Frames();
      reading: for await (const chunk of chunks) {
        if (signal.aborted) return;
        failures = 0;
        for (const frame of frames.push(chunk)) {
          if (frame.type === "problem") {
            reason = frame.data;
            break reading;
          }
          const event = eventOf(frame);
          if (event === null || event.revision <= last) continue;
          if (event.revision > last + 1) {
            reason = `revision ${event.revision} came after ${last}`;
            break reading;
          }
          last = event.revision;
          following.onEvent(event);
        }
      }
    } catch (error) {
      reason = error;
    }
    if (signal.aborted) return;
    failures += 1;
    following.onState("broken", reason);
    await following.wait(failures, signal);
  }
}

function eventOf(frame: Frame): Event | null {
  return frame.type === "message" ? (JSON.parse(frame.data) as Event) : null;
}
