/** Choose what a memory was concluded from, by asking the scope. */

import type { MemoryView } from "../api/types";
import { RULES } from "../api/types";
import { Finder, Found } from "./Finder";

interface PremisesProps {
  readonly scope: string;
  readonly chosen: readonly MemoryView[];
  readonly onChosen: (chosen: readonly MemoryView[]) => void;
}

export function Premises({ scope, chosen, onChosen }: PremisesProps) {
  return (
    <div className="field">
      <label htmlFor="premises-field">What it was concluded from</label>
      {chosen.map((one) => (
        <Found key={one.id} memory={one} onRemove={() => onChosen(chosen.filter((other) => other.id !== one.id))} />
      ))}
      <Finder
        scope={scope}
        id="premises-field"
        offers="Memories to conclude from"
        placeholder="Find a stored memory"
        without={chosen.map((one) => one.id)}
        disabled={chosen.length >= RULES.maxRefs}
        onFound={(memory) => onChosen([...chosen, memory])}
      />
    </div>
  );
}
