import type { ByokProvider } from '@va/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Session } from '../../session/session.ts';
import { settingsTexts } from '../../texts/en/settings.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { notify } from '../../ui/notice/toast.tsx';

export interface ProviderKeyDialogProps {
  readonly session: Session;
  readonly provider: ByokProvider;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

/** Stores the key of an account at a provider. */
export function ProviderKeyDialog({ session, provider, onSaved, onClose }: ProviderKeyDialogProps): JSX.Element {
  const { providers: words } = settingsTexts;
  const [key, setKey] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await session.client.byok.set({ provider: provider.id, api_key: key.trim() });
      notify(words.saved);
      onSaved();
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
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
