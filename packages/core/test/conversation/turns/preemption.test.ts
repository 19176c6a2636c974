import { ProviderError } from '@va/core';
import { calling, saying, scriptedLlm, scriptedStt, scriptedTts } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { PhoneCall } from '../../support/phone-call.ts';
import { phoneCalls } from '../../support/phone-calls.ts';

const { ring } = phoneCalls();

/** Speaks for 500 ms and emits a partial with the text. */
async function say(call: PhoneCall, text: string): Promise<void> {
  await call.speak(400);
  call.stt.streams[0]?.emit({ type: 'partial', text });
  await call.speak(100);
}

function lastOf(call: PhoneCall, index: number): unknown {
  return call.llm.requests[index]?.messages.at(-1);
}

describe('a preemptive reply', () => {
  it('is requested when the words are stable in a pause, and plays at the end of the turn', async () => {
    const text = 'What time do you open?';
    const call = await ring({
      stt: scriptedStt({ turns: [text] }),
      llm: scriptedLlm([[300, ...saying('At nine.')]]),
    });
    await say(call, text);
    await call.quiet(180);
    expect(call.llm.requests).toHaveLength(0);
    await call.quiet(40);
    expect(lastOf(call, 0)).toEqual({ role: 'user', content: text });
    await call.quiet(320);
    expect(call.agentFrames()).toBe(0);
    await call.quiet(60);
    expect(call.llm.requests).toHaveLength(1);
    expect(call.agentFrames()).toBeGreaterThan(0);
    await call.quiet(1_000);
    call.incoming.leave();
    await call.quiet(40);
    const { messages, latency } = await call.stored();
    expect(messages).toEqual([
      { role: 'user', content: text },
      { role: 'assistant', content: 'At nine.' },
    ]);
    expect(latency?.turns[0]).toMatchObject({ llm_first_token_ms: 0 });
    expect(latency?.turns[0]?.total_ms).toBeLessThanOrEqual(580);
  });

  it('is cancelled without any audio when the words change', async () => {
    const call = await ring({
      stt: scriptedStt({ turns: ['Book a table for two.'] }),
      llm: scriptedLlm([[2_000, ...saying('For how many?')], saying('A table for two.')]),
    });
    await say(call, 'Book a table.');
    await call.quiet(300);
    expect(call.llm.requests).toHaveLength(1);
    await say(call, 'Book a table for two.');
    expect(call.llm.requests[0]?.signal.aborted).toBe(true);
    await call.quiet(2_500);
    expect(lastOf(call, 1)).toEqual({ role: 'user', content: 'Book a table for two.' });
    expect(call.tts.utterances).toEqual([['A table for two.']]);
  });

  it('is kept when the caller continues without new words', async () => {
    const call = await ring({ stt: scriptedStt({ turns: ['Thank you.'] }), llm: scriptedLlm([saying('Welcome.')]) });
    await say(call, 'Thank you.');
    await call.quiet(300);
    await call.speak(100);
    await call.quiet(1_200);
    expect(call.llm.requests).toHaveLength(1);
    expect(call.tts.utterances).toEqual([['Welcome.']]);
  });

  it('runs no tool before the end of the turn', async () => {
    const call = await ring({
      agent: { llm_config: { provider: 'scripted', tools: [{ type: 'function', name: 'lookup' }] } },
      stt: scriptedStt({ turns: ['Is it there?', 'No, wait.'] }),
      llm: scriptedLlm([calling('lookup'), saying('It is.')]),
    });
    await say(call, 'Is it there?');
    await call.quiet(400);
    expect(call.llm.requests).toHaveLength(1);
    expect(call.webhooks.of('tool-calls')).toHaveLength(0);
    await call.quiet(600);
    expect(call.webhooks.of('tool-calls')).toHaveLength(1);
    expect(call.llm.requests).toHaveLength(2);
  });

  it('is requested again when it failed', async () => {
    const call = await ring({
      stt: scriptedStt({ turns: ['Hello there.'] }),
      llm: scriptedLlm([[new Error('overloaded')], saying('Hi.')]),
    });
    await say(call, 'Hello there.');
    await call.quiet(1_500);
    expect(call.llm.requests).toHaveLength(2);
    expect(call.tts.utterances).toEqual([['Hi.']]);
    expect(call.ended).toBeNull();
  });

  it('is discarded when context was injected meanwhile', async () => {
    const call = await ring({
      stt: scriptedStt({ turns: ['Who am I?'] }),
      llm: scriptedLlm([saying('No idea.'), saying('Jan.')]),
    });
    await say(call, 'Who am I?');
    await call.quiet(300);
    const [record] = (await call.va.operations.calls.list(call.orgId, {})).calls;
    await call.va.operations.calls.control(call.orgId, record?.id ?? '', {
      type: 'inject-context',
      content: 'The caller is Jan.',
      trigger_response: false,
    });
    await call.quiet(1_500);
    expect(call.tts.utterances).toEqual([['No idea.'], ['Jan.']]);
    expect(call.tts.cancelled).toEqual(new Set([0]));
    call.incoming.leave();
    await call.quiet(40);
    expect((await call.stored()).latency?.prepared_replies).toEqual({ made: 1, used: 0 });
  });

  it('has its first clause synthesized ahead, so that it plays without delay', async () => {
    const text = 'What time do you open?';
    const slow = {
      llm: scriptedLlm([[100, ...saying('At nine. And at noon on Sundays.')]]),
      tts: scriptedTts({ delayMs: 200 }),
    };
    const call = await ring({ stt: scriptedStt({ turns: [text] }), ...slow });
    await say(call, text);
    await call.quiet(540);
    expect(call.agentFrames()).toBe(0);
    await call.quiet(60);
    expect(call.agentFrames()).toBeGreaterThan(0);
    await call.quiet(4_000);
    call.incoming.leave();
    await call.quiet(40);
    const { messages, latency } = await call.stored();
    expect(messages.at(-1)?.content).toBe('At nine. And at noon on Sundays.');
    expect(call.tts.utterances).toEqual([['At nine.', 'And at noon on Sundays.']]);
    expect(call.tts.cancelled.size).toBe(0);
    expect(latency?.prepared_replies).toEqual({ made: 1, used: 1 });
    expect(latency?.turns[0]?.total_ms).toBeLessThanOrEqual(600);
  });

  it('is not synthesized ahead with preemptive.speech false', async () => {
    const call = await ring({
      agent: { speech_config: { preemptive: { speech: false } } },
      stt: scriptedStt({ turns: ['Is it open?'] }),
      llm: scriptedLlm([saying('Yes.')]),
    });
    await say(call, 'Is it open?');
    await call.quiet(400);
    expect(call.llm.requests).toHaveLength(1);
    expect(call.tts.utterances).toEqual([]);
  });

  it('is spoken when its synthesis ahead failed', async () => {
    let attempts = 0;
    const refuseAt = (): Error | null => {
      attempts += 1;
      return attempts === 1 ? new ProviderError('scripted', 'unavailable', 'busy') : null;
    };
    const call = await ring({
      stt: scriptedStt({ turns: ['Is it open?'] }),
      llm: scriptedLlm([saying('Yes, it is.')]),
      tts: scriptedTts({ refuseAt }),
    });
    await say(call, 'Is it open?');
    await call.quiet(3_000);
    call.incoming.leave();
    await call.quiet(40);
    expect((await call.stored()).messages.at(-1)).toEqual({ role: 'assistant', content: 'Yes, it is.' });
  });

  it('is requested at most max_attempts times per turn', async () => {
    const call = await ring({ stt: scriptedStt({ turns: ['five'] }) });
    for (const text of ['one.', 'two.', 'three.', 'four.', 'five.']) {
      await say(call, text);
      await call.quiet(320);
    }
    expect(call.llm.requests).toHaveLength(3);
  });

  it('is not requested when preemptive replies are disabled', async () => {
    const call = await ring({
      agent: { speech_config: { preemptive: { enabled: false } } },
      stt: scriptedStt({ turns: ['Hello there.'] }),
    });
    await say(call, 'Hello there.');
    await call.quiet(500);
    expect(call.llm.requests).toHaveLength(0);
    await call.quiet(200);
    expect(call.llm.requests).toHaveLength(1);
  });
});
