import type { WebhookTest as Result } from '@va/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { can } from '../../../session/session.ts';
import { agentTexts } from '../../../texts/en/agents.ts';
import { Button } from '../../../ui/button.tsx';
import { attempt } from '../../../ui/notice/toast.tsx';
import { formatLatency } from '../../../ui/values/format.ts';
import type { TabProps } from '../tab-props.ts';
import { tabPaths } from './tabs.ts';

/** Sends a test event to the saved webhook and shows the result. */
export function WebhookTest({ session, agent, changes }: TabProps): JSX.Element | null {
  const [result, setResult] = useState<Result | null>(null);
  const [isBusy, setBusy] = useState(false);
  if (!can(session.scopes, 'webhooks:write')) return null;
  const { webhookTest: words } = agentTexts;
  const isUnsaved = tabPaths.webhooks.some((path) => path in changes);
  const reason = isUnsaved ? words.unsaved : agent.webhook_url === null ? words.noUrl : null;
  const send = async (): Promise<void> => {
    setBusy(true);
    setResult(null);
    await attempt(async () => setResult(await session.client.webhookDeliveries.test(agent.id)));
    setBusy(false);
  };
  return (
    <div class="stack">
      <div class="actions">
        <Button isDisabled={reason !== null} isBusy={isBusy} onClick={() => void send()}>
          {words.send}
        </Button>
        {reason !== null && <span class="muted small">{reason}</span>}
      </div>
      {result !== null && <TestResult result={result} />}
    </div>
  );
}

function TestResult({ result }: { readonly result: Result }): JSX.Element {
  const { webhookTest: words } = agentTexts;
  const { status_code: status, latency_ms: latencyMs, error } = result;
  const isGood = error === null && status !== null;
  return (
    <p class={`notice ${isGood ? 'good' : 'bad'}`} role="status">
      {isGood ? words.ok(status, formatLatency(latencyMs)) : words.failed(error ?? String(status))}
    </p>
  );
}
