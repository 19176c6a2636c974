import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useResource } from '../../data/use-resource.ts';
import type { ConsoleSession } from '../../session/session.ts';
import { agentTexts } from '../../texts/en/agents.ts';
import { webhookTexts } from '../../texts/en/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { attempt, notify } from '../../ui/notice/toast.tsx';
import { formatLatency } from '../../ui/values/format.ts';

/** Sends a test event to the webhook of an agent. */
export function TestSender(props: {
  readonly session: ConsoleSession;
  readonly onSent: () => void;
}): JSX.Element | null {
  const { session, onSent } = props;
  const { value } = useResource('agents with a webhook', () => session.client.agents.list());
  const [agentId, setAgentId] = useState('');
  const [isBusy, setBusy] = useState(false);
  const agents = (value ?? []).filter(({ webhook_url: url }) => url !== null);
  if (agents.length === 0) return null;
  const send = async (): Promise<void> => {
    setBusy(true);
    await attempt(async () => {
      const { status_code: code, latency_ms: ms, error } = await session.client.webhookDeliveries.test(agentId);
      if (error !== null || code === null) throw new Error(agentTexts.webhookTest.failed(error ?? String(code)));
      notify(agentTexts.webhookTest.ok(code, formatLatency(ms)));
    });
    onSent();
    setBusy(false);
  };
  return (
    <fieldset class="choices">
      <legend>{webhookTexts.test}</legend>
      <div class="actions">
        <select
          class="short"
          aria-label={webhookTexts.testAgent}
          value={agentId}
          onChange={(event) => setAgentId(event.currentTarget.value)}
        >
          <option value="">{webhookTexts.chooseAgent}</option>
          {agents.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <Button isDisabled={agentId === ''} isBusy={isBusy} onClick={() => void send()}>
          {webhookTexts.send}
        </Button>
      </div>
    </fieldset>
  );
}
