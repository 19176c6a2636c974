import type { WebhookOutcome } from '@va/core/adapter';
import { calling, type ScriptedReply, ScriptedWebhooks, saying, scriptedLlm, scriptedStt } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { PhoneCall } from '../support/phone-call.ts';
import { phoneCalls } from '../support/phone-calls.ts';

const { ring } = phoneCalls();

interface AskedCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: unknown };
}

const ok = (body: unknown): WebhookOutcome => ({ ok: true, status: 200, body, latencyMs: 1 });
const timedOut: WebhookOutcome = { ok: false, reason: 'timeout', status: null, message: 'timeout', latencyMs: 10_000 };

/** Responses of the customer's server by tool name. */
const servers: Record<string, (call: AskedCall) => WebhookOutcome | Promise<WebhookOutcome>> = {
  answers: () => ok({ result: { price: 12 } }),
  answers_text: () => ok({ result: '{"price":12}' }),
  answers_twice: ({ id }) => ok({ results: [1, 2].map((result) => ({ toolCallId: id, result })) }),
  answers_another: () => ok({ results: [{ toolCallId: 'somebody-else', result: 1 }] }),
  answers_nothing: () => ok(null),
  fails: () => ({ ok: false, reason: 'status', status: 500, message: 'oops', latencyMs: 1 }),
  throws: () => {
    throw new Error('the dispatcher threw');
  },
  rejects: () => Promise.reject(new Error('the dispatcher rejected')),
  times_out: () => timedOut,
};

async function ringWith(
  replies: readonly ScriptedReply[],
  turns: readonly string[] = ['Look it up.'],
): Promise<PhoneCall> {
  const webhooks = new ScriptedWebhooks();
  const request = webhooks.request.bind(webhooks);
  webhooks.request = async (message, options) => {
    const outcome = await request(message, options);
    if (message.event !== 'tool-calls' || !outcome.ok) return outcome;
    const [asked] = message.message.toolCallList as AskedCall[];
    if (asked === undefined) throw new Error('the tool-calls message has no call');
    return await (servers[asked.function.name]?.(asked) ?? outcome);
  };
  const tools = Object.keys(servers).map((name) => ({ type: 'function', name }));
  return await ring({
    webhooks,
    agent: { llm_config: { provider: 'scripted', tools } },
    stt: scriptedStt({ turns }),
    llm: scriptedLlm([...replies]),
  });
}

/** Returns the tool outputs of the latest LLM request, with the ids of their calls. */
function outputs(call: PhoneCall): [string, string][] {
  const messages = call.llm.requests.at(-1)?.messages ?? [];
  return messages.flatMap((message): [string, string][] =>
    message.role === 'tool' ? [[message.toolCallId, message.content]] : [],
  );
}

describe('5. each tool call gets one output', () => {
  it('for any response of the server, in the order of parallel calls', async () => {
    const names = Object.keys(servers);
    const call = await ringWith([names.flatMap((name) => calling(name)), saying('Done.')]);
    await call.speak(500);
    await call.quiet(2_000);
    const given = new Map(outputs(call));
    expect(outputs(call).map(([id]) => id)).toEqual(names.map((name) => `call-${name}`));
    // A string that is already JSON is not encoded again.
    expect(given.get('call-answers')).toBe('{"price":12}');
    expect(given.get('call-answers_text')).toBe('{"price":12}');
    expect(given.get('call-answers_twice')).toBe('1');
    for (const name of ['answers_another', 'fails', 'throws', 'rejects', 'times_out']) {
      expect(JSON.parse(given.get(`call-${name}`) ?? '')).toEqual({ error: expect.any(String) });
    }
    expect(call.tts.utterances).toEqual([['Done.']]);
    expect(call.notices.filter(({ type }) => type === 'tool-result')).toHaveLength(names.length);
  });

  it.each([
    ['are truncated JSON', '{"day":"Fri'],
    ['are not an object', '[1]'],
    ['are a JSON string', '"{\\"day\\":\\"Friday\\"}"'],
    ['are null', 'null'],
  ])('which is an error, without a request, when its arguments %s', async (_what, args) => {
    const call = await ringWith([
      [{ type: 'tool-call', call: { id: 'c1', name: 'answers', arguments: args } }],
      saying('Sorry.'),
    ]);
    await call.speak(500);
    await call.quiet(1_500);
    expect(outputs(call)).toEqual([['c1', expect.stringContaining('error')]]);
    expect(call.webhooks.events).not.toContain('tool-calls');
  });

  it('and runs once when the model repeats its id, in the same reply and in later turns', async () => {
    const twice: ScriptedReply = [...calling('answers', {}, 'c1'), ...calling('answers', {}, 'c1')];
    const call = await ringWith([twice, saying('Twelve.'), saying('Still twelve.')], ['How much is it?', 'And now?']);
    await call.speak(500);
    await call.quiet(2_000);
    await call.speak(500);
    await call.quiet(2_000);
    expect(call.webhooks.events.filter((event) => event === 'tool-calls')).toHaveLength(1);
    expect(outputs(call)).toHaveLength(1);
  });

  it('when the caller interrupts before, while and after it runs', async () => {
    for (const afterMs of [0, 200, 500, 900, 1_300]) {
      const call = await ringWith(
        [[300, ...calling('answers', {}, 'c1')], saying('It is twelve euros.'), saying('Yes.')],
        ['How much is it?', 'Wait, please.', 'Well then.'],
      );
      await call.speak(500);
      await call.quiet(600 + afterMs);
      await call.speak(700);
      await call.quiet(3_000);
      await call.speak(500);
      await call.quiet(2_500);
      const last = call.llm.requests.at(-1)?.messages ?? [];
      const called = last.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
      expect({ afterMs, outputs: outputs(call).map(([id]) => id) }).toEqual({
        afterMs,
        outputs: called.map(({ id }) => id),
      });
    }
  });

  it('when the call ends before the server responds', async () => {
    const webhooks = new ScriptedWebhooks();
    webhooks.outcome = () => new Promise(() => {});
    const call = await ring({
      webhooks,
      agent: { llm_config: { provider: 'scripted', tools: [{ type: 'function', name: 'answers' }] } },
      stt: scriptedStt({ turns: ['How much is it?'] }),
      llm: scriptedLlm([calling('answers')]),
    });
    await call.speak(500);
    await call.quiet(1_000);
    call.incoming.leave();
    await call.nothing(60);
    const results = call.notices.filter((notice) => notice.type === 'tool-result');
    expect(results).toMatchObject([{ callId: 'call-answers', outcome: { ok: false } }]);
  });
});
