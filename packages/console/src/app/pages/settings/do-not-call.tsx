import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { withoutRow } from '../../data/rows.ts';
import { useResource } from '../../data/use-resource.ts';
import { type ConsoleSession, can } from '../../session/session.ts';
import { settingsTexts } from '../../texts/en/settings.ts';
import { Button } from '../../ui/button.tsx';
import { ListView } from '../../ui/list/list-view.tsx';
import { attempt } from '../../ui/notice/toast.tsx';
import { formatTime } from '../../ui/values/format.ts';

/** The do-not-call list: the newest 100 numbers. */
export function DoNotCall({ session }: { readonly session: ConsoleSession }): JSX.Element {
  const { client } = session;
  const entries = useResource('do not call', async () => (await client.doNotCall.list()).do_not_call);
  const canWrite = can(session.scopes, 'campaigns:write');
  const [number, setNumber] = useState('');
  const [reason, setReason] = useState('');
  const { doNotCall: words } = settingsTexts;
  const add = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const entry = { phone_number: number.trim(), reason: reason.trim() || null };
    const added = { ...entry, id: 'new', created_at: new Date().toISOString() };
    setNumber('');
    setReason('');
    const send = (): Promise<unknown> => client.doNotCall.add(entry);
    if (await attempt(() => entries.change((all) => [added, ...all], send), words.added)) return;
    // Keeps a refused number in the field, to be corrected.
    setNumber((typed) => typed || number);
    setReason((typed) => typed || reason);
  };
  const remove = async (id: string): Promise<void> => {
    await attempt(() => entries.change(withoutRow(id), () => client.doNotCall.delete(id)), words.removed);
  };
  return (
    <>
      {canWrite && (
        <form class="columns" onSubmit={add}>
          <label class="field">
            <span>{words.number}</span>
            <input required type="tel" value={number} onInput={(event) => setNumber(event.currentTarget.value)} />
          </label>
          <label class="field">
            <span>{words.reason}</span>
            <input maxLength={500} value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
          </label>
          <div class="actions end">
            <Button kind="primary" type="submit" isDisabled={number.trim() === ''}>
              {words.add}
            </Button>
          </div>
        </form>
      )}
      <ListView
        label={settingsTexts.tabs['do-not-call']}
        resource={entries}
        keyOf={({ id }) => id}
        none={words.none}
        noneExplanation={words.noneExplanation}
        columns={[
          { title: words.columns.number, cell: ({ phone_number: phone }) => phone },
          { title: words.columns.reason, cell: ({ reason: why }) => <span class="wrap">{why ?? '–'}</span> },
          { title: words.columns.since, cell: ({ created_at: at }) => formatTime(at) },
          {
            title: words.columns.actions,
            cell: ({ id }) =>
              canWrite && (
                <Button kind="danger" onClick={() => void remove(id)}>
                  {words.remove}
                </Button>
              ),
          },
        ]}
      />
    </>
  );
}
