import type { WebhookDelivery } from '@va/client';
import type { JSX } from 'preact';
import type { ConsoleSession } from '../../session/session.ts';
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
  readonly session: ConsoleSession;
  readonly id: string;
  /** Shows the delivery as pending while `send` runs. */
  readonly change: (send: () => Promise<unknown>) => Promise<void>;
}): JSX.Element {
  const { session, id, change } = props;
  const redeliver = async (): Promise<void> => {
    await attempt(() => change(() => session.client.webhookDeliveries.redeliver(id)), webhookTexts.redelivered);
  };
  return <Button onClick={() => void redeliver()}>{webhookTexts.redeliver}</Button>;
}
