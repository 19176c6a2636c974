import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { texts } from '../../texts/en.ts';
import { Button } from '../button.tsx';
import { Dialog } from './dialog.tsx';

export interface ConfirmOptions {
  readonly title: string;
  readonly text: string;
  /** Label of the confirming button, such as `Delete`. */
  readonly action: string;
}

const asked = signal<{ readonly question: ConfirmOptions; readonly resolve: (isConfirmed: boolean) => void } | null>(
  null,
);

/**
 * Asks before something that cannot be taken back. Resolves to false if the question is closed.
 *
 * @example if (await confirm({ title: 'Delete Anna?', text: '…', action: 'Delete' })) await remove();
 */
export async function confirm(question: ConfirmOptions): Promise<boolean> {
  asked.value?.resolve(false);
  return await new Promise((resolve) => {
    asked.value = { question, resolve };
  });
}

/** Renders the dialog of a pending `confirm` call. Mounted once, at the root. */
export function ConfirmDialog(): JSX.Element | null {
  if (asked.value === null) return null;
  const { question, resolve } = asked.value;
  const answer = (isConfirmed: boolean): void => {
    asked.value = null;
    resolve(isConfirmed);
  };
  return (
    <Dialog title={question.title} onClose={() => answer(false)}>
      <p>{question.text}</p>
      <footer class="actions">
        <Button onClick={() => answer(false)}>{texts.dialog.cancel}</Button>
        <Button kind="danger" onClick={() => answer(true)}>
          {question.action}
        </Button>
      </footer>
    </Dialog>
  );
}
