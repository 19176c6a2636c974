import { calling, type ScriptedReply, ScriptedWebhooks, saying, scriptedLlm, scriptedStt } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { PhoneCall, PhoneCallOptions } from '../support/phone-call.ts';
import { phoneCalls } from '../support/phone-calls.ts';

const phones = phoneCalls();
const tool = { type: 'function', name: 'book', description: 'Books a table', parameters: { type: 'object' } };

async function ring(
  replies: readonly ScriptedReply[],
  options: PhoneCallOptions & { tools?: unknown[] } = {},
): Promise<PhoneCall> {
  return await phones.ring({
    llm: scriptedLlm(replies),
    stt: scriptedStt({ turns: ['book a table', 'hurry up'] }),
    ...options,
    agent: { llm_config: { provider: 'scripted', tools: options.tools ?? [tool] }, ...options.agent },
  });
}

describe('a tool call', () => {
  it('times out after 15 s when the dispatcher has no timeout of its own', async () => {
    const webhooks = new ScriptedWebhooks();
    webhooks.outcome = () => new Promise(() => {});
    const call = await ring([calling('book'), saying('That did not work.')], { webhooks });
    await call.speak(300);
    await call.quiet(14_500);
    expect(call.llm.requests).toHaveLength(1);
    await call.quiet(2_500);
    expect(call.llm.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'tool',
      content: expect.stringContaining('timeout: no answer within 15 seconds'),
    });
  });

  it('is sent to the customer’s server, and its result to the model', async () => {
    const webhooks = new ScriptedWebhooks();
    webhooks.answer = () => ({ results: [{ toolCallId: 'call-book', result: { table: 7 } }] });
    const call = await ring([calling('book', { people: 2 }), saying('Table seven is yours.')], { webhooks });
    await call.speak(300);
    await call.quiet(3_000);

    expect(webhooks.of('tool-calls')).toHaveLength(1);
    expect(webhooks.of('tool-calls')[0]).toMatchObject({
      call: { type: 'inboundPhoneCall', status: 'in-progress' },
      customer: { number: '+31612345678' },
      toolCallList: [{ id: 'call-book', type: 'function', function: { name: 'book', arguments: { people: 2 } } }],
    });
    expect(call.llm.requests[1]?.messages.slice(1)).toEqual([
      { role: 'assistant', content: '', toolCalls: [{ id: 'call-book', name: 'book', arguments: '{"people":2}' }] },
      { role: 'tool', toolCallId: 'call-book', content: '{"table":7}' },
    ]);
    expect(call.notices).toContainEqual({
      type: 'agent-spoke',
      full: 'Table seven is yours.',
      heard: 'Table seven is yours.',
      interrupted: false,
    });
  });

  it('gets one output per call when several run in parallel', async () => {
    const webhooks = new ScriptedWebhooks();
    webhooks.outcome = async (message) => {
      const list = message.message.toolCallList as { id: string }[] | undefined;
      const id = list?.[0]?.id;
      // The first call is the slower one.
      if (id === 'a') await new Promise<void>((resolve) => call.clock.setTimer(500, resolve));
      return { ok: true, status: 200, body: { result: id }, latencyMs: 1 };
    };
    const call = await ring([[...calling('book', {}, 'a'), ...calling('book', {}, 'b')], saying('Done.')], {
      webhooks,
    });
    await call.speak(300);
    await call.quiet(3_000);
    const outputs = call.llm.requests[1]?.messages.filter(({ role }) => role === 'tool');
    expect(outputs).toEqual([
      { role: 'tool', toolCallId: 'a', content: 'a' },
      { role: 'tool', toolCallId: 'b', content: 'b' },
    ]);
  });

  it.each([
    ['times out', { ok: false, reason: 'timeout', status: null, message: '', latencyMs: 10_000 }, 'timeout'],
    ['returns 500', { ok: false, reason: 'status', status: 500, message: '', latencyMs: 1 }, '500'],
    [
      'returns invalid JSON',
      { ok: false, reason: 'invalid_answer', status: 200, message: 'not JSON', latencyMs: 1 },
      'not JSON',
    ],
  ] as const)(
    'returns an error to the model when the server %s, and the call continues',
    async (_name, outcome, expected) => {
      const webhooks = new ScriptedWebhooks();
      webhooks.outcome = () => outcome;
      const call = await ring([calling('book'), saying('I could not book it.')], { webhooks });
      await call.speak(300);
      await call.quiet(3_000);
      const output = call.llm.requests[1]?.messages.at(-1);
      expect(output?.role === 'tool' && output.content).toContain(expected);
      expect(call.ended).toBeNull();
      expect(call.agentFrames()).toBeGreaterThan(0);
    },
  );

  it('fails without a request when its arguments are not JSON or the tool does not exist', async () => {
    const broken: ScriptedReply = [
      { type: 'tool-call', call: { id: 'x', name: 'book', arguments: '{"people":' } },
      { type: 'tool-call', call: { id: 'y', name: 'unheard_of', arguments: '{}' } },
    ];
    const call = await ring([broken, saying('Sorry.')]);
    await call.speak(300);
    await call.quiet(2_000);
    expect(call.webhooks.of('tool-calls')).toHaveLength(0);
    const outputs = call.llm.requests[1]?.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
    expect(outputs).toEqual([
      expect.stringContaining('not a JSON object'),
      expect.stringContaining('no tool unheard_of'),
    ]);
  });

  it('of an async tool does not delay the reply', async () => {
    const webhooks = new ScriptedWebhooks();
    webhooks.outcome = () => new Promise(() => {});
    const call = await ring([calling('book'), saying('It is on its way.')], {
      webhooks,
      tools: [{ ...tool, async: true }],
    });
    await call.speak(300);
    await call.quiet(2_000);
    expect(call.llm.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', content: 'accepted' });
    expect(call.agentFrames()).toBeGreaterThan(0);
  });

  it('speaks the message of the tool while it runs', async () => {
    const webhooks = new ScriptedWebhooks();
    webhooks.outcome = () => new Promise(() => {});
    const call = await ring([calling('book')], { webhooks, tools: [{ ...tool, message: 'One moment please.' }] });
    await call.speak(300);
    await call.quiet(1_500);
    expect(call.tts.utterances).toEqual([['One moment please.']]);
  });

  it('uses the URL and secret of the tool', async () => {
    const server = { url: 'https://tools.test/book', secret: 'tool-secret' };
    const call = await ring([calling('book'), saying('Ok.')], { tools: [{ ...tool, server }] });
    await call.speak(300);
    await call.quiet(1_500);
    expect(call.webhooks.messages.find(({ event }) => event === 'tool-calls')?.target).toEqual(server);
    expect(JSON.stringify(call.webhooks.messages.map(({ message }) => message))).not.toContain('tool-secret');
  });

  it('keeps running when the caller speaks, and its result is part of the next reply', async () => {
    const webhooks = new ScriptedWebhooks();
    webhooks.outcome = async () => {
      await new Promise<void>((resolve) => call.clock.setTimer(4_000, resolve));
      return { ok: true, status: 200, body: { result: 'booked' }, latencyMs: 4_000 };
    };
    const call = await ring([calling('book'), saying('All done.')], { webhooks });
    await call.speak(300);
    await call.quiet(1_000);
    await call.speak(800);
    await call.quiet(5_000);
    expect(call.llm.requests).toHaveLength(2);
    expect(call.llm.requests[1]?.messages.slice(-2)).toEqual([
      { role: 'tool', toolCallId: 'call-book', content: 'booked' },
      { role: 'user', content: 'hurry up' },
    ]);
  });

  it('does not count as silence', async () => {
    const webhooks = new ScriptedWebhooks();
    webhooks.outcome = () => new Promise(() => {});
    const call = await ring([calling('book')], { webhooks, agent: { silence_timeout_seconds: 2 } });
    await call.speak(300);
    await call.quiet(8_000);
    expect(call.tts.utterances).toEqual([]);
  });

  it('without a response gets one cancelled outcome when the call ends', async () => {
    const webhooks = new ScriptedWebhooks();
    webhooks.outcome = () => new Promise(() => {});
    const call = await ring([calling('book')], { webhooks });
    await call.speak(300);
    await call.quiet(1_000);
    call.incoming.leave();
    await call.quiet(40);
    const results = call.notices.filter(({ type }) => type === 'tool-result');
    expect(results).toEqual([
      {
        type: 'tool-result',
        callId: 'call-book',
        name: 'book',
        outcome: { ok: false, error: 'cancelled: the call ended' },
      },
    ]);
  });

  it('is not offered after max_tool_steps: the model then answers without tools', async () => {
    const call = await ring([], {
      llm: scriptedLlm((request, index) =>
        request.tools.length > 0 ? calling('book', {}, `c${index}`) : saying('Enough.'),
      ),
    });
    await call.speak(300);
    await call.quiet(3_000);
    expect(call.webhooks.of('tool-calls')).toHaveLength(5);
    expect(call.tts.utterances).toEqual([['Enough.']]);
  });
});
