import type { JSX } from 'preact';
import { CopyButton } from '../copy-button.tsx';
import { Dialog } from './dialog.tsx';

export interface SecretDialogProps {
  readonly title: string;
  readonly explanation: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows a new secret. The API does not return it again. */
export function SecretDialog({ title, explanation, secret, onClose }: SecretDialogProps): JSX.Element {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{explanation}</p>
      <p class="secret">
        <code>{secret}</code>
        <CopyButton text={secret} />
      </p>
    </Dialog>
  );
}
