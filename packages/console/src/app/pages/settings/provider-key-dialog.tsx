import type { ByokProvider } from '@va/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../../data/use-action.ts';
import type { ConsoleSession } from '../../session/session.ts';
import { settingsTexts } from '../../texts/en/settings.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { notify } from '../../ui/notice/toast.tsx';

export interface ProviderKeyDialogProps {
  readonly session: ConsoleSession;
  readonly provider: ByokProvider;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

/** Stores the key of a provider account. */
export function ProviderKeyDialog({ session, provider, onSaved, onClose }: ProviderKeyDialogProps): JSX.Element {
  const { providers: words } = settingsTexts;
  const [key, setKey] = useState('');
  const { isBusy, error, run } = useAction();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void run(async () => {
      await session.client.byok.set({ provider: provider.id, api_key: key.trim() });
      notify(words.saved);
      onSaved();
    });
  };
  return (
    <Dialog title={provider.name} onClose={onClose}>
      <form class="form" onSubmit={submit}>
        <label class="field">
          <span>{words.key}</span>
          <input
            type="password"
            autocomplete="new-password"
            required
            value={key}
            onInput={(event) => setKey(event.currentTarget.value)}
          />
        </label>
        {error !== null && <ErrorNotice error={error} />}
        <div class="actions">
          <Button kind="primary" type="submit" isBusy={isBusy} isDisabled={key.trim() === ''}>
            {words.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
