/** Short messages at the edge of the page, with one action; they stay while they are read. */

import { createContext, useCallback, useContext, useEffect, useState, type ReactNode } from "react";

export interface Message {
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

const SHOWN_MS = 12_000;
const Context = createContext<(message: Message) => void>(() => undefined);

export function useTell(): (message: Message) => void {
  return useContext(Context);
}

export function Messages({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<{ readonly id: number; readonly message: Message } | null>(null);
  const [held, setHeld] = useState(false);
  const tell = useCallback((message: Message) => {
    setShown((before) => ({ id: (before?.id ?? 0) + 1, message }));
  }, []);
  const id = shown?.id;
  useEffect(() => {
    if (id === undefined || held) return;
    const timer = setTimeout(() => setShown((now) => (now?.id === id ? null : now)), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id, held]);
  return (
    <Context value={tell}>
      {children}
      <div className="messages" role="status" onMouseEnter={() => setHeld(true)} onMouseLeave={() => setHeld(false)}>
        {shown && (
          <div className="message">
            <span>{shown.message.text}</span>
            {shown.message.action && (
              <button
                type="button"
                onClick={() => {
                  shown.message.action?.run();
                  setShown(null);
                }}
              >
                {shown.message.action.label}
              </button>
            )}
            <button type="button" className="quiet" aria-label="Dismiss" onClick={() => setShown(null)}>
              ✕
            </button>
          </div>
        )}
      </div>
    </Context>
  );
}
