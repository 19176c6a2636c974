import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { texts } from '../../texts/en.ts';

export interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Called on Esc and by the close button. The owner then stops rendering the dialog. */
  readonly onClose: () => void;
  readonly isWide?: boolean;
}

/**
 * Selectors of the element that gets the focus in an opened dialog: its first field, or the first button after its
 * header.
 */
const firstField = 'input:not(:disabled), select:not(:disabled), textarea:not(:disabled)';
const firstButton = ':scope > header ~ * button:not(:disabled)';

/** A modal dialog. Traps the focus, and restores it on close. */
export function Dialog({ title, children, onClose, isWide = false }: DialogProps): JSX.Element {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  // A layout effect, because Preact cleans up passive effects after the element is removed, which loses the focus.
  useLayoutEffect(() => {
    const { activeElement } = document;
    const { current } = element;
    current?.showModal();
    const first = current?.querySelector<HTMLElement>(firstField) ?? current?.querySelector<HTMLElement>(firstButton);
    first?.focus();
    return () => {
      // Elements behind an open dialog must not take the focus.
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

/** Focuses an element, or the content of the page if the element is gone, such as the row of a deleted record. */
function giveBack(element: HTMLElement): void {
  const target = element.isConnected ? element : document.querySelector<HTMLElement>('#content');
  target?.focus();
}
