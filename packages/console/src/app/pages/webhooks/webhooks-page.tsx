import type { WebhookDelivery } from '@va/client';
import type { JSX } from 'preact';
import { withFields } from '../../data/rows.ts';
import { useResource } from '../../data/use-resource.ts';
import { hrefOf } from '../../router/fragment.ts';
import { route, setQuery } from '../../router/route.ts';
import { type ConsoleSession, can } from '../../session/session.ts';
import { webhookTexts } from '../../texts/en/webhooks.ts';
import { ListView } from '../../ui/list/list-view.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { formatTime } from '../../ui/values/format.ts';
import { Delivery } from './delivery.tsx';
import { DeliveryStatus, Redeliver } from './delivery-parts.tsx';
import { TestSender } from './test-sender.tsx';

const pageSize = 100;
const pending: Partial<WebhookDelivery> = { status: 'pending' };
const statuses = ['pending', 'delivered', 'failed'] as const;
type Status = (typeof statuses)[number];

/** Routes `#/webhooks?status=failed` and `#/webhooks/<id>`. */
export function WebhooksPage({ session }: { readonly session: ConsoleSession }): JSX.Element {
  const [, id] = route.value.path;
  return id === undefined ? <Deliveries session={session} /> : <Delivery key={id} session={session} id={id} />;
}

function Deliveries({ session }: { readonly session: ConsoleSession }): JSX.Element {
  const status = statuses.find((each) => each === route.value.query.status);
  const resource = useResource(`deliveries ${status ?? ''}`, () => load(session, status));
  const canWrite = can(session.scopes, 'webhooks:write');
  const { columns } = webhookTexts;
  return (
    <section class="page">
      <header class="page-head">
        <PageTitle title={webhookTexts.title} />
        <label class="check">
          <span>{webhookTexts.status}</span>
          <select value={status ?? ''} onChange={({ currentTarget: { value } }) => setQuery({ status: value })}>
            <option value="">{webhookTexts.allStatuses}</option>
            {statuses.map((each) => (
              <option key={each} value={each}>
                {webhookTexts.statuses[each]}
              </option>
            ))}
          </select>
        </label>
      </header>
      {canWrite && can(session.scopes, 'agents:read') && <TestSender session={session} onSent={resource.reload} />}
      <ListView
        label={webhookTexts.title}
        resource={resource}
        keyOf={({ id }) => id}
        none={webhookTexts.none}
        noneExplanation={webhookTexts.noneExplanation}
        columns={[
          {
            title: columns.when,
            cell: ({ id, created_at: at }) => <a href={hrefOf(['webhooks', id])}>{formatTime(at)}</a>,
          },
          { title: columns.event, cell: ({ event }) => event },
          { title: columns.url, cell: ({ url }) => <span class="wrap">{url}</span> },
          { title: columns.status, cell: (delivery) => <DeliveryStatus of={delivery} /> },
          { title: columns.attempts, isNumber: true, cell: ({ attempts }) => attempts.length },
          {
            title: columns.actions,
            cell: ({ id }) =>
              canWrite && (
                <Redeliver
                  session={session}
                  id={id}
                  change={(send) => resource.change(withFields(id, pending), send)}
                />
              ),
          },
        ]}
      />
    </section>
  );
}

async function load({ client }: ConsoleSession, status: Status | undefined): Promise<readonly WebhookDelivery[]> {
  const query = { limit: pageSize, ...(status !== undefined && { status }) };
  return (await client.webhookDeliveries.list(query)).deliveries;
}
