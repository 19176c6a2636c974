import type { ByokProvider } from '@va/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useResource } from '../../data/use-resource.ts';
import { type ConsoleSession, can } from '../../session/session.ts';
import { settingsTexts } from '../../texts/en/settings.ts';
import { startTexts } from '../../texts/en/start.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog/confirm.tsx';
import type { TableColumn } from '../../ui/list/data-table.tsx';
import { ListView } from '../../ui/list/list-view.tsx';
import { attempt } from '../../ui/notice/toast.tsx';
import { ProviderKeyDialog } from './provider-key-dialog.tsx';

interface ProviderKeyRow {
  readonly provider: ByokProvider;
  readonly isSet: boolean;
}

/** Keys of the organization's own provider accounts. */
export function ProviderKeys({ session }: { readonly session: ConsoleSession }): JSX.Element {
  const { client } = session;
  const rows = useResource('byok', () => load(session));
  const [edited, setEdited] = useState<ByokProvider | null>(null);
  const canWrite = can(session.scopes, 'byok:write');
  const { providers: words } = settingsTexts;
  const remove = async ({ id, name }: ByokProvider): Promise<void> => {
    const question = { title: words.removeTitle(name), text: words.removeText, action: words.remove };
    if (!(await confirm(question))) return;
    const unset = (all: readonly ProviderKeyRow[]): readonly ProviderKeyRow[] =>
      all.map((row) => (row.provider.id === id ? { ...row, isSet: false } : row));
    await attempt(() => rows.change(unset, () => client.byok.deleteOf(id)), words.removed);
  };
  const columns: TableColumn<ProviderKeyRow>[] = [
    { title: words.columns.provider, cell: ({ provider }) => provider.name },
    { title: words.columns.kind, cell: ({ provider: { category } }) => startTexts.kinds[category] ?? category },
    {
      title: words.columns.key,
      cell: ({ isSet }) => <span class={isSet ? 'badge good' : 'badge'}>{isSet ? words.set : words.notSet}</span>,
    },
  ];
  if (canWrite) {
    columns.push({
      title: words.columns.actions,
      cell: ({ provider, isSet }) => (
        <div class="row-actions">
          <Button kind="quiet" onClick={() => setEdited(provider)}>
            {isSet ? words.replace : words.add}
          </Button>
          {isSet && (
            <Button kind="danger" onClick={() => void remove(provider)}>
              {words.remove}
            </Button>
          )}
        </div>
      ),
    });
  }
  return (
    <>
      <p class="muted">{words.explanation}</p>
      <ListView
        label={settingsTexts.tabs.providers}
        resource={rows}
        columns={columns}
        keyOf={({ provider }) => provider.id}
        none={words.none}
      />
      {edited !== null && (
        <ProviderKeyDialog
          session={session}
          provider={edited}
          onClose={() => setEdited(null)}
          onSaved={() => {
            setEdited(null);
            rows.reload();
          }}
        />
      )}
    </>
  );
}

async function load({ client }: ConsoleSession): Promise<readonly ProviderKeyRow[]> {
  const [providers, keys] = await Promise.all([client.byok.config(), client.byok.list()]);
  return providers.map((provider) => ({ provider, isSet: (keys[`${provider.id}_secret_id`] ?? null) !== null }));
}
