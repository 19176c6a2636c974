import type { WebhookDelivery } from '@va/client';
import type { JSX } from 'preact';
import { useResource } from '../../data/use-resource.ts';
import { hrefOf } from '../../router/fragment.ts';
import { type ConsoleSession, can } from '../../session/session.ts';
import { webhookTexts } from '../../texts/en/webhooks.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { DataTable } from '../../ui/list/data-table.tsx';
import { EmptyState } from '../../ui/list/empty-state.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { formatLatency, formatTime } from '../../ui/values/format.ts';
import { DeliveryStatus, Redeliver } from './delivery-parts.tsx';

/** Number of recent deliveries searched for the id, because the API has no request for a single one. */
const searched = 1_000;

/** A webhook delivery with its attempts and payload. */
export function Delivery({ session, id }: { readonly session: ConsoleSession; readonly id: string }): JSX.Element {
  const { value, error, reload, change } = useResource(`delivery ${id}`, async () => {
    const { deliveries } = await session.client.webhookDeliveries.list({ limit: searched });
    return { found: deliveries.find((each) => each.id === id) ?? null };
  });
  if (value !== null && value.found !== null) {
    return <Details session={session} delivery={value.found} change={(send) => change(asPending, send)} />;
  }
  return (
    <section class="page">
      <BackLink to={['webhooks']}>{webhookTexts.back}</BackLink>
      <PageTitle title={webhookTexts.delivery} />
      {error !== null && <ErrorNotice error={error} onRetry={reload} />}
      {value === null && error === null && <Loading />}
      {value !== null && <EmptyState title={webhookTexts.notFound} />}
    </section>
  );
}

function asPending({ found }: { readonly found: WebhookDelivery | null }): { readonly found: WebhookDelivery | null } {
  return { found: found === null ? null : { ...found, status: 'pending' } };
}

function Details(props: {
  readonly session: ConsoleSession;
  readonly delivery: WebhookDelivery;
  readonly change: (send: () => Promise<unknown>) => Promise<void>;
}): JSX.Element {
  const { session, delivery, change } = props;
  const payload = JSON.stringify(delivery.payload, null, 2);
  const { attemptColumns: columns } = webhookTexts;
  return (
    <section class="page">
      <header class="page-head">
        <div>
          <BackLink to={['webhooks']}>{webhookTexts.back}</BackLink>
          <PageTitle title={delivery.event}>
            <DeliveryStatus of={delivery} />
          </PageTitle>
          <p class="muted wrap">{delivery.url}</p>
        </div>
        <div class="actions">
          {delivery.call_id !== null && <a href={hrefOf(['calls', delivery.call_id])}>{webhookTexts.call}</a>}
          {can(session.scopes, 'webhooks:write') && <Redeliver session={session} id={delivery.id} change={change} />}
        </div>
      </header>
      <h2>{webhookTexts.attempts}</h2>
      <DataTable
        label={webhookTexts.attempts}
        rows={delivery.attempts}
        keyOf={({ at }) => at}
        columns={[
          { title: columns.at, cell: ({ at }) => formatTime(at) },
          { title: columns.code, cell: ({ status_code: code }) => code ?? '–' },
          { title: columns.latency, isNumber: true, cell: ({ latency_ms: ms }) => formatLatency(ms) },
          { title: columns.error, cell: ({ error }) => <span class="wrap">{error ?? '–'}</span> },
        ]}
      />
      <div class="page-head">
        <h2>{webhookTexts.payload}</h2>
        <CopyButton text={payload} />
      </div>
      <pre>{payload}</pre>
    </section>
  );
}
