import type { NewPublishableKey, PublishableKey } from '@va/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { loadSchema } from '../../api/openapi.ts';
import { withFields } from '../../data/rows.ts';
import type { FormSchema } from '../../data/schema.ts';
import { useResource } from '../../data/use-resource.ts';
import { type ConsoleSession, can } from '../../session/session.ts';
import { keyTexts, publishableKeyFields } from '../../texts/en/keys.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { confirm } from '../../ui/dialog/confirm.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import type { FieldChoice } from '../../ui/form/form-state.ts';
import type { TableColumn } from '../../ui/list/data-table.tsx';
import { ListView } from '../../ui/list/list-view.tsx';
import { attempt, notifyError } from '../../ui/notice/toast.tsx';
import { RevokeButton } from './api-keys.tsx';
import { KeyStatus } from './key-status.tsx';

interface OpenedKey {
  readonly schema: FormSchema;
  readonly agents: readonly FieldChoice[];
}

/** The publishable keys, with which web pages call agents. They are not secret. */
export function PublishableKeys({ session }: { readonly session: ConsoleSession }): JSX.Element {
  const { client, scopes } = session;
  const keys = useResource('publishable keys', () => client.publishableKeys.list());
  const [opened, setOpened] = useState<OpenedKey | null>(null);
  const canWrite = can(scopes, 'api-keys:write') && can(scopes, 'calls:write') && can(scopes, 'agents:read');
  const open = async (): Promise<void> => {
    try {
      const schema = await loadSchema('NewPublishableKey');
      const agents = (await client.agents.list()).map(({ id, name }) => ({ value: id, label: name }));
      setOpened({ schema, agents });
    } catch (thrown) {
      notifyError(thrown);
    }
  };
  const revoke = async ({ id, name }: PublishableKey): Promise<void> => {
    const question = { title: keyTexts.revokeTitle(name), text: keyTexts.revokeText, action: keyTexts.revoke };
    if (!(await confirm(question))) return;
    const change = withFields<PublishableKey>(id, { revoked_at: new Date().toISOString() });
    await attempt(() => keys.change(change, () => client.publishableKeys.delete(id)), keyTexts.revoked);
  };
  const { columns: words } = keyTexts;
  const columns: TableColumn<PublishableKey>[] = [
    { title: words.name, cell: ({ name }) => name },
    {
      title: keyTexts.key,
      cell: ({ key }) => (
        <span class="secret">
          <code>{key.slice(0, 16)}…</code>
          <CopyButton text={key} />
        </span>
      ),
    },
    { title: keyTexts.origins, cell: ({ origins }) => <span class="wrap">{origins.join(', ')}</span> },
    { title: keyTexts.minutes, isNumber: true, cell: ({ minutes_per_day: minutes }) => minutes },
    { title: words.status, cell: (key) => <KeyStatus of={key} /> },
  ];
  if (can(scopes, 'api-keys:write')) {
    columns.push({
      title: words.actions,
      cell: (key) => key.revoked_at === null && <RevokeButton onClick={() => void revoke(key)} />,
    });
  }
  return (
    <>
      {canWrite && (
        <div class="actions">
          <Button kind="primary" shortcut="n" onClick={() => void open()}>
            {keyTexts.createPublishable}
          </Button>
        </div>
      )}
      <ListView
        label={keyTexts.tabs.publishable}
        resource={keys}
        columns={columns}
        keyOf={({ id }) => id}
        none={keyTexts.noPublishable}
        noneExplanation={keyTexts.publishableExplanation}
      />
      {opened !== null && (
        <FormDialog
          title={keyTexts.createPublishable}
          schema={opened.schema}
          texts={publishableKeyFields}
          choices={{ agents: opened.agents }}
          action={keyTexts.submit}
          onClose={() => setOpened(null)}
          onSubmit={async (values) => {
            // The service validates the values.
            await client.publishableKeys.create(values as unknown as NewPublishableKey);
            setOpened(null);
            keys.reload();
          }}
        />
      )}
    </>
  );
}
