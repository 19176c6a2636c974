import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { texts } from '../../texts/en.ts';

export interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Called for Esc and the close button; the owner then no longer shows the dialog. */
  readonly onClose: () => void;
  readonly isWide?: boolean;
}

/** A modal dialog. It keeps the focus inside, and gives it back to where it was. */
export function Dialog({ title, children, onClose, isWide = false }: DialogProps): JSX.Element {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const { activeElement } = document;
    element.current?.showModal();
    return () => {
      if (activeElement instanceof HTMLElement) activeElement.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={isWide ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <button class="button quiet icon" type="button" aria-label={texts.dialog.close} onClick={onClose}>
          ×
        </button>
      </header>
      {children}
    </dialog>
  );
}
