import { createVoiceAgents } from '@va/core';
import type { WebhookDispatcher } from '@va/core/adapter';
import { pglite } from '@va/storage/pglite';
import { postgres } from '@va/storage/postgres';
import {
  levelVad,
  ScriptedIncomingCall,
  ScriptedTelephony,
  saying,
  scriptedLlm,
  scriptedStt,
  scriptedTts,
  silentLogger,
} from '@va/testkit';
import { webhooks } from '@va/webhooks';

/**
 * Serves one call, and dies when its end is committed, before any webhook is sent. Reports the ids of the pending
 * webhooks.
 */
const [where = '', customerUrl = ''] = process.argv.slice(2);
const number = '+31201234567';

const telephony = new ScriptedTelephony();
const va = createVoiceAgents({
  storage: where.startsWith('postgres:')
    ? postgres({ connectionString: where, migrations: 'auto' })
    : pglite({ dir: where }),
  providers: [scriptedStt(), scriptedLlm([saying('All right.')]), scriptedTts()],
  telephony: [telephony],
  webhooks: dyingAtTheEnd(webhooks({ allowPrivateTargets: true })),
  recordings: {
    create: async () => ({ write() {}, close: async () => {} }),
    open: async () => null,
    delete: async () => false,
  },
  vad: levelVad(),
  logger: silentLogger,
});
await va.start();
const { id: orgId } = await va.operations.organizations.ensureDefault();
const agent = await va.operations.agents.create(orgId, {
  name: 'Anna',
  webhook_url: customerUrl,
  stt_config: { provider: 'scripted' },
  llm_config: { provider: 'scripted' },
  tts_config: { provider: 'scripted' },
});
await va.operations.numbers.register(orgId, { phone_number: number, agent_id: agent.id });
const call = new ScriptedIncomingCall({ to: number });
telephony.ring(call);
await untilDelivered();
call.leave();

/** Waits until the earlier webhooks are delivered and stored. */
async function untilDelivered(): Promise<void> {
  for (;;) {
    const { deliveries } = await va.operations.webhookDeliveries.list(orgId, { status: 'delivered' });
    if (deliveries.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function dyingAtTheEnd(dispatcher: WebhookDispatcher): WebhookDispatcher {
  return {
    start: (host) => dispatcher.start(host),
    request: (message, options) => dispatcher.request(message, options),
    hasRoom: (urls) => dispatcher.hasRoom(urls),
    settled: (callId) => dispatcher.settled(callId),
    close: (options) => dispatcher.close(options),
    deliver: (stored) => {
      if (!stored.some(({ webhook }) => webhook.event === 'end-of-call-report')) return dispatcher.deliver(stored);
      // Attempts no delivery: the process dies as soon as the parent knows the ids.
      process.send?.(
        stored.map(({ webhook }) => webhook.webhookId),
        () => process.kill(process.pid, 'SIGKILL'),
      );
    },
  };
}
