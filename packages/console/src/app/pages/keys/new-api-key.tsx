import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../../data/use-action.ts';
import { type ConsoleSession, can } from '../../session/session.ts';
import { keyTexts } from '../../texts/en/keys.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';

/** API resources with a `:read` and a `:write` scope each. */
const groups = [
  ...['agents', 'analysis-templates', 'api-keys', 'byok', 'calls', 'campaigns', 'domains', 'numbers'],
  ...['organizations', 'tool-templates', 'trunks', 'usage', 'voices', 'webhooks'],
];

export interface NewApiKeyDialogProps {
  readonly session: ConsoleSession;
  readonly onIssued: (secret: string) => void;
  readonly onClose: () => void;
}

/** Creates an API key with a subset of the session's scopes. */
export function NewApiKeyDialog({ session, onIssued, onClose }: NewApiKeyDialogProps): JSX.Element {
  // The scopes of `deployment` have an effect for operators only.
  const offered = session.isOperator ? [...groups, 'deployment'] : groups;
  const [name, setName] = useState('');
  const [expires, setExpires] = useState('');
  const [scopes, setScopes] = useState<readonly string[]>([]);
  const { isBusy, error, run } = useAction();
  const toggle = (scope: string): void =>
    setScopes((before) => (before.includes(scope) ? before.filter((each) => each !== scope) : [...before, scope]));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void run(async () => {
      const expires_at = expires === '' ? null : new Date(expires).toISOString();
      const { secret } = await session.client.apiKeys.create({ name, scopes: [...scopes], expires_at });
      onIssued(secret);
    });
  };
  const box = (scope: string, label: string): JSX.Element => (
    <input
      type="checkbox"
      aria-label={label}
      disabled={!can(session.scopes, scope) || (scope !== '*' && scopes.includes('*'))}
      checked={scopes.includes(scope)}
      onChange={() => toggle(scope)}
    />
  );
  return (
    <Dialog title={keyTexts.create} isWide onClose={onClose}>
      <form class="form" onSubmit={submit}>
        <div class="columns">
          <label class="field">
            <span>{keyTexts.name}</span>
            <input required maxLength={200} value={name} onInput={(event) => setName(event.currentTarget.value)} />
          </label>
          <label class="field">
            <span>{keyTexts.expiresAt}</span>
            <input type="datetime-local" value={expires} onInput={(event) => setExpires(event.currentTarget.value)} />
          </label>
        </div>
        <fieldset class="choices">
          <legend>{keyTexts.scopes}</legend>
          <div class="check">
            {box('*', keyTexts.all)} <span aria-hidden="true">{keyTexts.all}</span>
          </div>
          <table class="scopes">
            <thead>
              <tr>
                <th scope="col">{keyTexts.group}</th>
                <th scope="col">{keyTexts.read}</th>
                <th scope="col">{keyTexts.write}</th>
              </tr>
            </thead>
            <tbody>
              {offered.map((group) => (
                <tr key={group}>
                  <th scope="row">{group}</th>
                  <td>{box(`${group}:read`, `${group}:read`)}</td>
                  <td>{box(`${group}:write`, `${group}:write`)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </fieldset>
        {error !== null && <ErrorNotice error={error} />}
        <div class="actions">
          <Button kind="primary" type="submit" isBusy={isBusy} isDisabled={scopes.length === 0}>
            {keyTexts.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
