import type { MailDomain as Domain } from '@va/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useResource } from '../../data/use-resource.ts';
import { type ConsoleSession, can } from '../../session/session.ts';
import { settingsTexts } from '../../texts/en/settings.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { confirm } from '../../ui/dialog/confirm.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { DataTable } from '../../ui/list/data-table.tsx';
import { Loading } from '../../ui/loading.tsx';
import { attempt } from '../../ui/notice/toast.tsx';

/** The verified sender domain of mails about calls. */
export function MailDomain({ session }: { readonly session: ConsoleSession }): JSX.Element {
  const { value, error, reload, change } = useResource<{ readonly domain: Domain | null }>('mail domain', async () => ({
    domain: await session.client.domains.get(),
  }));
  const remove = async (): Promise<void> => {
    const send = (): Promise<unknown> => session.client.domains.delete();
    await attempt(() => change(() => ({ domain: null }), send), settingsTexts.mail.removed);
  };
  if (error !== null) return <ErrorNotice error={error} onRetry={reload} />;
  if (value === null) return <Loading />;
  if (value.domain === null) return <NewDomain session={session} onAdded={reload} />;
  return <DomainRecords session={session} domain={value.domain} reload={reload} onRemove={remove} />;
}

function NewDomain({
  session,
  onAdded,
}: {
  readonly session: ConsoleSession;
  readonly onAdded: () => void;
}): JSX.Element {
  const { mail: words } = settingsTexts;
  const [name, setName] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const isDone = await attempt(() => session.client.domains.add({ domain_name: name.trim() }));
    setBusy(false);
    if (isDone) onAdded();
  };
  return (
    <form class="card form narrow" onSubmit={submit}>
      <p class="muted">{words.none}</p>
      {can(session.scopes, 'domains:write') && (
        <>
          <label class="field">
            <span>{words.name}</span>
            <input required value={name} onInput={(event) => setName(event.currentTarget.value)} />
            <span class="help">{words.hint}</span>
          </label>
          <div class="actions">
            <Button kind="primary" type="submit" isBusy={isBusy} isDisabled={name.trim() === ''}>
              {words.add}
            </Button>
          </div>
        </>
      )}
    </form>
  );
}

function DomainRecords(props: {
  readonly session: ConsoleSession;
  readonly domain: Domain;
  readonly reload: () => void;
  readonly onRemove: () => Promise<void>;
}): JSX.Element {
  const { session, domain, reload, onRemove } = props;
  const { mail: words } = settingsTexts;
  const { columns } = words;
  const verify = async (): Promise<void> => {
    if (await attempt(() => session.client.domains.verify())) reload();
  };
  const remove = async (): Promise<void> => {
    if (!(await confirm({ title: domain.domain_name, text: words.removeText, action: words.remove }))) return;
    await onRemove();
  };
  return (
    <>
      <div class="page-head">
        <h2>
          {domain.domain_name} <StatusBadge status={domain.status} />
        </h2>
        {can(session.scopes, 'domains:write') && (
          <div class="actions">
            <Button onClick={() => void verify()}>{words.verify}</Button>
            <Button kind="danger" onClick={() => void remove()}>
              {words.remove}
            </Button>
          </div>
        )}
      </div>
      <p class="muted">{words.recordsHelp}</p>
      <DataTable
        label={words.records}
        rows={domain.records}
        keyOf={({ type, name, value }) => `${type} ${name} ${value}`}
        columns={[
          { title: columns.type, cell: ({ type }) => type },
          { title: columns.name, cell: ({ name }) => <code>{name}</code> },
          {
            title: columns.value,
            cell: ({ value }) => (
              <span class="secret">
                <code class="wrap">{value}</code>
                <CopyButton text={value} />
              </span>
            ),
          },
          { title: columns.ttl, cell: ({ ttl }) => ttl },
          { title: columns.status, cell: ({ status }) => <StatusBadge status={status} /> },
        ]}
      />
    </>
  );
}

function StatusBadge({ status }: { readonly status: string }): JSX.Element {
  const kind = status === 'verified' ? 'good' : status.endsWith('failed') ? 'bad' : 'warn';
  return <span class={`badge ${kind}`}>{status}</span>;
}
