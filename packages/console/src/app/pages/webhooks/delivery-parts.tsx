import type { WebhookDelivery } from '@va/client';
import type { JSX } from 'preact';
import type { Session } from '../../session/session.ts';
import { webhookTexts } from '../../texts/en/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { attempt } from '../../ui/notice/toast.tsx';

const badges = { pending: 'warn', delivered: 'good', failed: 'bad' } as const;

export function DeliveryStatus({ of: { status, status_code: code } }: { readonly of: WebhookDelivery }): JSX.Element {
  return (
    <span class={`badge ${badges[status]}`}>
      {webhookTexts.statuses[status]} {code}
    </span>
  );
}

export function Redeliver(props: {
  readonly session: Session;
  readonly id: string;
  readonly onDone: () => void;
}): JSX.Element {
  const { session, id, onDone } = props;
  const redeliver = async (): Promise<void> => {
    if (await attempt(() => session.client.webhookDeliveries.redeliver(id), webhookTexts.redelivered)) onDone();
  };
  return <Button onClick={() => void redeliver()}>{webhookTexts.redeliver}</Button>;
}
