import type { WebhookDelivery } from '@va/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useResource } from '../../data/use-resource.ts';
import { type ConsoleSession, can } from '../../session/session.ts';
import { texts } from '../../texts/en.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { formatLatency, formatTime } from '../../ui/values/format.ts';
import { JsonBlock } from '../../ui/values/json-block.tsx';

const badges = { pending: 'warn', delivered: 'good', failed: 'bad' } as const;

/** The webhook deliveries of a call with their attempts. */
export function CallWebhooks({
  session,
  callId,
}: {
  readonly session: ConsoleSession;
  readonly callId: string;
}): JSX.Element | null {
  const words = texts.call.webhooks;
  const isAllowed = can(session.scopes, 'webhooks:read');
  const { value, error, reload } = useResource(`webhooks ${callId} ${isAllowed}`, async (signal) =>
    isAllowed ? await session.client.webhookDeliveries.list({ call_id: callId, limit: 100 }, { signal }) : null,
  );
  if (!isAllowed) return null;
  return (
    <section class="card stack">
      <h2>{words.title}</h2>
      {error !== null && <ErrorNotice error={error} onRetry={reload} />}
      {value?.deliveries.length === 0 && <p class="muted">{words.none}</p>}
      <ul class="deliveries">
        {value?.deliveries.map((delivery) => (
          <Delivery key={delivery.id} session={session} delivery={delivery} />
        ))}
      </ul>
    </section>
  );
}

function Delivery({
  session,
  delivery,
}: {
  readonly session: ConsoleSession;
  readonly delivery: WebhookDelivery;
}): JSX.Element {
  const words = texts.call.webhooks;
  const [state, setState] = useState<'idle' | 'busy' | 'done'>('idle');
  const [error, setError] = useState<unknown>(null);
  const redeliver = (): void => {
    setState('busy');
    setError(null);
    session.client.webhookDeliveries.redeliver(delivery.id).then(
      () => setState('done'),
      (thrown: unknown) => {
        setState('idle');
        setError(thrown);
      },
    );
  };
  return (
    <li>
      <details>
        <summary>
          <code>{delivery.event}</code>{' '}
          <span class={`badge ${badges[delivery.status]}`}>
            {words.statuses[delivery.status]} {delivery.status_code}
          </span>{' '}
          <span class="muted small">{words.attempts(delivery.attempts.length)}</span>
        </summary>
        <p class="small url">{delivery.url}</p>
        <ul class="small">
          {delivery.attempts.map((attempt) => (
            <li key={attempt.at}>{attemptText(attempt)}</li>
          ))}
        </ul>
        <JsonBlock value={delivery.payload} />
        {can(session.scopes, 'webhooks:write') && (
          <Button onClick={redeliver} isBusy={state === 'busy'} isDisabled={state === 'done'}>
            {state === 'done' ? words.redelivered : words.redeliver}
          </Button>
        )}
        {error !== null && <ErrorNotice error={error} />}
      </details>
    </li>
  );
}

function attemptText({ at, status_code, latency_ms, error }: WebhookDelivery['attempts'][number]): string {
  const outcome = [formatTime(at), status_code ?? texts.call.webhooks.noAnswer, formatLatency(latency_ms), error];
  return outcome.filter((part) => part !== null).join(' · ');
}
