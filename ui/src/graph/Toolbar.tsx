/** Edge families, orphans, mode and a view of everything. */

import { FAMILY_LOOKS } from "./families";
import { FamilyGlyph } from "./Glyph";
import { FAMILIES, type Family, type GraphSettings } from "./types";

interface ToolbarProps {
  readonly settings: GraphSettings;
  readonly onSettings: (settings: GraphSettings) => void;
  readonly counts: Readonly<Record<Family, number>>;
  readonly onFit: () => void;
}

export function Toolbar({ settings, onSettings, counts, onFit }: ToolbarProps) {
  const toggled = (family: Family) =>
    FAMILIES.filter((other) => (other === family) !== settings.families.includes(other));
  return (
    <div className="graph-toolbar">
      <div className="graph-toggles" role="group" aria-label="Edge families">
        {FAMILIES.map((family) => (
          <button
            key={family}
            type="button"
            className="graph-toggle"
            aria-pressed={settings.families.includes(family)}
            title={FAMILY_LOOKS[family].meaning}
            onClick={() => onSettings({ ...settings, families: toggled(family) })}
          >
            <FamilyGlyph family={family} />
            {FAMILY_LOOKS[family].name}
            <span className="graph-count">{counts[family]}</span>
          </button>
        ))}
      </div>
      <div className="graph-toggles" role="group" aria-label="View">
        <button
          type="button"
          className="graph-toggle"
          aria-pressed={settings.showOrphans}
          title="nodes that no shown edge touches"
          onClick={() => onSettings({ ...settings, showOrphans: !settings.showOrphans })}
        >
          orphans
        </button>
        <button
          type="button"
          className="graph-toggle"
          aria-pressed={settings.mode === "3d"}
          title="deep or flat"
          onClick={() => onSettings({ ...settings, mode: settings.mode === "3d" ? "2d" : "3d" })}
        >
          3D
        </button>
        <button type="button" className="graph-toggle" title="key 0" onClick={onFit}>
          show all
        </button>
      </div>
    </div>
  );
}
