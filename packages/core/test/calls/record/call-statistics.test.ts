import { calling, ScriptedWebhooks, saying, scriptedLlm, scriptedStt } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { PhoneCall } from '../../support/phone-call.ts';
import { phoneCalls } from '../../support/phone-calls.ts';

const { keep } = phoneCalls();

async function statisticsOf(call: PhoneCall): Promise<unknown> {
  return await call.va.operations.statistics.get(call.orgId);
}

describe('the statistics of a call', () => {
  it('hold its turns by latency, its minutes, and its tools', async () => {
    const failing = {
      type: 'function' as const,
      name: 'look_up',
      description: 'Looks it up.',
      parameters: { type: 'object' as const },
    };
    const webhooks = new ScriptedWebhooks();
    webhooks.outcome = () => ({ ok: false, reason: 'status', status: 500, message: 'HTTP 500', latencyMs: 1 });
    const call = keep(
      await PhoneCall.ring({
        webhooks,
        stt: scriptedStt({ turns: ['when are you open', 'thank you'] }),
        llm: scriptedLlm([calling('look_up'), saying('I do not know.'), saying('Goodbye.')]),
        agent: { first_message: 'Hello.', llm_config: { provider: 'scripted', tools: [failing] } },
      }),
    );
    await call.quiet(2_000);
    for (let turn = 0; turn < 2; turn += 1) {
      await call.speak(400);
      await call.quiet(4_000);
    }
    call.incoming.leave();
    await call.quiet(1_000);
    const stored = await call.stored();
    const turns = stored.latency?.turns ?? [];
    expect(turns.length).toBe(2);
    expect(await statisticsOf(call)).toMatchObject({
      stats: [{ key: stored.created_at.slice(0, 10), calls: 1, answered_calls: 1, tool_calls: 1, failed_tools: 1 }],
      total: {
        turns: 2,
        end_reasons: { user_hangup: 1 },
        minutes: expect.closeTo((stored.duration_seconds ?? 0) / 60, 1),
      },
    });
  });

  it('count a call that was refused', async () => {
    const call = keep(new PhoneCall());
    await call.prepare({ is_active: false });
    await call.dial();
    await call.nothing(1_000);
    expect(await statisticsOf(call)).toMatchObject({
      total: { calls: 1, answered_calls: 0, turns: 0, latency_ms: null, end_reasons: { rejected_inactive: 1 } },
    });
  });
});
