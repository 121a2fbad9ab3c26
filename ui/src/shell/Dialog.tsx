/** A modal on the browser's own dialog: it keeps the focus inside, closes on Esc and gives the focus back. */

import { useEffect, useRef, type ReactNode } from "react";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opened = dialog.current;
    const before = document.activeElement;
    opened?.showModal();
    opened?.querySelector<HTMLElement>("[data-first]")?.focus();
    return () => {
      opened?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className="dialog-body">
        <header className="dialog-head">
          <h2>{title}</h2>
          <button type="button" className="quiet" onClick={onClose}>
            Close <kbd aria-hidden="true">Esc</kbd>
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
