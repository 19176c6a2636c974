import { calling, ScriptedWebhooks, saying, scriptedLlm, scriptedStt } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { webhookMessageSchema } from '../../src/domain/webhooks/webhook-message.ts';
import { PhoneCall } from '../support/phone-call.ts';
import { phoneCalls } from '../support/phone-calls.ts';

const { keep } = phoneCalls();
const timestamp = '2026-01-01T00:00:00.000Z';

/** Returns the fields of a message that its schema does not describe. */
function undescribed(message: Record<string, unknown>): string[] {
  const schema = webhookMessageSchema.options.find(({ shape }) => shape.type.value === message.type);
  return Object.keys(message).filter((key) => !Object.hasOwn(schema?.shape ?? {}, key));
}

describe('webhook messages', () => {
  it('match their schemas', async () => {
    const webhooks = new ScriptedWebhooks();
    const events = ['assistant-request', 'status-update', 'end-of-call-report', 'campaign-update'] as const;
    const call = keep(
      new PhoneCall({
        webhooks,
        stt: scriptedStt({ turns: ['a table please'] }),
        llm: scriptedLlm([[...calling('book', { people: 2 })], saying('Booked.')]),
      }),
    );
    const llm_config = { provider: 'scripted', tools: [{ type: 'function', name: 'book' }] };
    await call.prepare({ webhook_url: 'https://customer.test/hook', webhook_events: events, llm_config });
    await call.va.operations.agents.update(call.orgId, call.agent?.id ?? '', { webhook_events: [...events] });
    webhooks.answer = ({ event }) => (event === 'assistant-request' ? {} : { result: 'ok' });
    await call.dial();
    await call.quiet(3_000);
    await call.speak(400);
    await call.quiet(5_000);
    call.incoming.leave();
    await call.quiet(100);
    await call.va.operations.webhookDeliveries.test(call.orgId, call.agent?.id ?? '');
    const campaign = await call.va.operations.campaigns.create(call.orgId, {
      ...{ name: 'Spring', agent_id: call.agent?.id ?? '', timezone: 'UTC' },
      ...{ schedule_start_time: '09:00', schedule_end_time: '17:00' },
    });
    await call.va.operations.campaigns.update(call.orgId, campaign.id, { status: 'cancelled' });
    const sent = webhooks.messages.map(({ event, message }) => ({ type: event, timestamp, ...message }));
    expect([...new Set(sent.map(({ type }) => type))].sort()).toEqual([
      'assistant-request',
      'campaign-update',
      'end-of-call-report',
      'status-update',
      'test',
      'tool-calls',
    ]);
    for (const message of sent) {
      const parsed = webhookMessageSchema.safeParse(message);
      expect(parsed.error === undefined ? '' : z.prettifyError(parsed.error), message.type).toBe('');
      expect(undescribed(message), message.type).toEqual([]);
    }
  });
});
