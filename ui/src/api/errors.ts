/** What a call can end in, by what the person can do about it. */

/** The server answered with a problem: `code`, `field` and `retryable` are its own. */
export class Problem extends Error {
  constructor(
    message: string,
    readonly code: string,
    readonly status: number,
    readonly retryable: boolean,
    readonly field: string = "",
  ) {
    super(message);
    this.name = "Problem";
  }
}

/** No answer came: the server is stopped or the network is gone. */
export class Unreachable extends Problem {
  constructor() {
    super("the server does not answer; what is on screen stays, and the pages try again", "unreachable", 0, true);
    this.name = "Unreachable";
  }
}

/** The problem in an error document, whatever arrived instead of one. */
export function problemOf(status: number, body: unknown): Problem {
  const error = isRecord(body) && isRecord(body["error"]) ? body["error"] : {};
  return new Problem(
    typeof error["message"] === "string" ? error["message"] : `the server answered ${status} without saying why`,
    typeof error["code"] === "string" ? error["code"] : "unexplained",
    status,
    error["retryable"] === true,
    typeof error["field"] === "string" ? error["field"] : "",
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
