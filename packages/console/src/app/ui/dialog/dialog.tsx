import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { texts } from '../../texts/en.ts';

export interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Called for Esc and the close button; the owner then no longer shows the dialog. */
  readonly onClose: () => void;
  readonly isWide?: boolean;
}

/** Takes the focus when a dialog opens: its first field, else its first button behind the one that closes it. */
const firstField = 'input:not(:disabled), select:not(:disabled), textarea:not(:disabled)';
const firstButton = ':scope > header ~ * button:not(:disabled)';

/** A modal dialog. It keeps the focus inside, and gives it back to where it was. */
export function Dialog({ title, children, onClose, isWide = false }: DialogProps): JSX.Element {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Preact cleans up after a passive effect when the element is gone: nothing would have the focus until then.
  useLayoutEffect(() => {
    const { activeElement } = document;
    const { current } = element;
    current?.showModal();
    const first = current?.querySelector<HTMLElement>(firstField) ?? current?.querySelector<HTMLElement>(firstButton);
    first?.focus();
    return () => {
      // Nothing behind an open dialog takes the focus.
      current?.close();
      if (activeElement instanceof HTMLElement) giveBack(activeElement);
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
          <span aria-hidden="true">×</span>
        </button>
      </header>
      {children}
    </dialog>
  );
}

/** What had the focus may be gone, such as the row of a deleted record. */
function giveBack(element: HTMLElement): void {
  const target = element.isConnected ? element : document.querySelector<HTMLElement>('#content');
  target?.focus();
}
