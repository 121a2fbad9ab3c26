/** Asks for the token of a guarded server; it is kept for this tab only. */

import { useState, useSyncExternalStore } from "react";
import { onToken, setToken, token, tokenRefused } from "../api/token";
import { BOOT } from "../boot";

/** Whether the person must give a token before anything can be read. */
export function useNeedsToken(): boolean {
  return useSyncExternalStore(onToken, () => tokenRefused() || (BOOT.guarded && token() === ""));
}

export function TokenPrompt() {
  const [value, setValue] = useState("");
  return (
    <form
      className="token"
      onSubmit={(event) => {
        event.preventDefault();
        if (value.trim() !== "") setToken(value);
      }}
    >
      <h1>This server asks for a token</h1>
      <p className="muted">
        It is the value of <code>HYDRAMIND_HTTP_TOKEN</code> where the server was started. It is kept in this tab until you close it.
      </p>
      <label className="field">
        <span>Token</span>
        <input type="password" value={value} autoFocus autoComplete="off" onChange={(event) => setValue(event.target.value)} />
      </label>
      {tokenRefused() && token() !== "" && <p role="alert">The server did not accept that token.</p>}
      <button type="submit" className="primary">
        Continue
      </button>
    </form>
  );
}
