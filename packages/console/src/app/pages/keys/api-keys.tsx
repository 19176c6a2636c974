import type { ApiKey } from '@va/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { withoutRow } from '../../data/rows.ts';
import { useResource } from '../../data/use-resource.ts';
import { type ConsoleSession, can } from '../../session/session.ts';
import { keyTexts } from '../../texts/en/keys.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog/confirm.tsx';
import { SecretDialog } from '../../ui/dialog/secret-dialog.tsx';
import type { TableColumn } from '../../ui/list/data-table.tsx';
import { ListView } from '../../ui/list/list-view.tsx';
import { attempt } from '../../ui/notice/toast.tsx';
import { formatTime } from '../../ui/values/format.ts';
import { KeyStatus } from './key-status.tsx';
import { NewApiKeyDialog } from './new-api-key.tsx';

/** The API keys. A secret is shown once, at creation. */
export function ApiKeys({ session }: { readonly session: ConsoleSession }): JSX.Element {
  const keys = useResource('api keys', () => session.client.apiKeys.list());
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const canWrite = can(session.scopes, 'api-keys:write');
  const revoke = async ({ id, name }: ApiKey): Promise<void> => {
    const question = { title: keyTexts.revokeTitle(name), text: keyTexts.revokeText, action: keyTexts.revoke };
    if (!(await confirm(question))) return;
    await attempt(() => keys.change(withoutRow(id), () => session.client.apiKeys.delete(id)), keyTexts.revoked);
  };
  const { columns: words } = keyTexts;
  const columns: TableColumn<ApiKey>[] = [
    { title: words.name, cell: ({ name }) => name },
    { title: words.scopes, cell: ({ scopes }) => <span class="wrap">{scopes.join(', ')}</span> },
    { title: words.status, cell: (key) => <KeyStatus of={key} /> },
    { title: words.expires, cell: ({ expires_at: at }) => (at === null ? keyTexts.never : formatTime(at)) },
    { title: words.created, cell: ({ created_at: at }) => formatTime(at) },
  ];
  if (canWrite) {
    columns.push({
      title: words.actions,
      cell: (key) => key.revoked_at === null && <RevokeButton onClick={() => void revoke(key)} />,
    });
  }
  return (
    <>
      {canWrite && (
        <div class="actions">
          <Button kind="primary" shortcut="n" onClick={() => setCreating(true)}>
            {keyTexts.create}
          </Button>
        </div>
      )}
      <ListView
        label={keyTexts.tabs.api}
        resource={keys}
        columns={columns}
        keyOf={({ id }) => id}
        none={keyTexts.noKeys}
      />
      {isCreating && (
        <NewApiKeyDialog
          session={session}
          onClose={() => setCreating(false)}
          onIssued={(issued) => {
            setCreating(false);
            setSecret(issued);
            keys.reload();
          }}
        />
      )}
      {secret !== null && (
        <SecretDialog
          title={keyTexts.secretTitle}
          explanation={keyTexts.secretText}
          secret={secret}
          onClose={() => setSecret(null)}
        />
      )}
    </>
  );
}

export function RevokeButton({ onClick }: { readonly onClick: () => void }): JSX.Element {
  return (
    <Button kind="danger" onClick={onClick}>
      {keyTexts.revoke}
    </Button>
  );
}
