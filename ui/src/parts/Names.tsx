/** A field for several names: Enter or a comma keeps one, Backspace in the empty field takes the last back. */

import { useId, useState } from "react";
import { RULES } from "../api/types";

interface NamesProps {
  readonly label: string;
  readonly hint: string;
  readonly names: readonly string[];
  readonly known: readonly string[];
  readonly onNames: (names: readonly string[]) => void;
}

export function Names({ label, hint, names, known, onNames }: NamesProps) {
  const [typed, setTyped] = useState("");
  const id = useId();
  const keep = () => {
    const added = typed
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "" && !names.includes(name));
    if (added.length > 0) onNames([...names, ...added].slice(0, RULES.maxRefs));
    setTyped("");
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="names">
        {names.map((name) => (
          <button key={name} type="button" className="chip" onClick={() => onNames(names.filter((one) => one !== name))}>
            <bdi dir="auto">{name}</bdi> <span aria-hidden="true">✕</span>
            <span className="unseen">remove</span>
          </button>
        ))}
        <input
          id={id}
          list={`${id}-known`}
          value={typed}
          maxLength={RULES.maxName}
          autoComplete="off"
          aria-describedby={`${id}-hint`}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={keep}
          onKeyDown={(event) => {
            if ((event.key === "Enter" || event.key === ",") && typed.trim() !== "") {
              event.preventDefault();
              keep();
            } else if (event.key === "Backspace" && typed === "") {
              onNames(names.slice(0, -1));
            }
          }}
        />
        <datalist id={`${id}-known`}>
          {known.slice(0, 200).map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </div>
      <span id={`${id}-hint`} className="hint">
        {hint}
      </span>
    </div>
  );
}
