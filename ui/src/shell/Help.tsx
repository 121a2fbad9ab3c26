/** Every key, in one place. */

import { Dialog } from "./Dialog";

const GROUPS: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    "Go to",
    [
      ["/", "ask"],
      ["n", "remember something new"],
      ["g", "the graph"],
      ["h", "the overview of the scope"],
      ["p", "entities"],
      ["s", "another scope"],
      ["i", "health"],
    ],
  ],
  [
    "On a page",
    [
      ["j  k", "next and previous row"],
      ["Enter", "open the row"],
      ["e", "revise the memory on screen"],
      ["f", "forget it, or undo that"],
      ["←  →", "previous and next tab, once a tab has the focus"],
      ["Esc", "close, or leave a field"],
      ["t", "light, dark or the system's theme"],
      ["?", "this help"],
    ],
  ],
];

export function Help({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <div className="help">
        {GROUPS.map(([title, keys]) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl className="keys">
              {keys.map(([key, meaning]) => (
                <div key={key}>
                  <dt>
                    {key.split("  ").map((one) => (
                      <kbd key={one}>{one}</kbd>
                    ))}
                  </dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
