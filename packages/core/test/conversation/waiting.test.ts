import { calling, ScriptedWebhooks, saying, scriptedLlm, scriptedStt } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { phoneCalls } from '../support/phone-calls.ts';

const { ring } = phoneCalls();
const filler = { phrases: ['One moment.', 'Still looking.'], delay_ms: 1_000 };

describe('a slow reply', () => {
  it('is preceded by a filler, which is stored as part of it', async () => {
    const call = await ring({
      agent: { speech_config: { filler } },
      stt: scriptedStt({ turns: ['question'] }),
      llm: scriptedLlm([[1_700, ...saying('Here it is.')]]),
    });
    await call.speak(400);
    await call.quiet(560);
    await call.quiet(960);
    expect(call.tts.utterances).toEqual([]);
    await call.quiet(60);
    expect(call.tts.utterances).toEqual([['One moment.']]);
    await call.quiet(3_000);
    call.incoming.leave();
    await call.quiet(40);
    expect((await call.stored()).messages).toEqual([
      { role: 'user', content: 'question' },
      { role: 'assistant', content: 'One moment. Here it is.' },
    ]);
  });

  it('is preceded by each filler once, delay_ms apart', async () => {
    const call = await ring({
      agent: { speech_config: { filler } },
      stt: scriptedStt({ turns: ['question'] }),
      llm: scriptedLlm([[20_000, ...saying('Sorry.')]]),
    });
    await call.speak(400);
    await call.quiet(10_000);
    expect(call.tts.utterances).toEqual([['One moment.'], ['Still looking.']]);
  });

  it('is preceded by a filler while a tool without a message runs', async () => {
    const webhooks = new ScriptedWebhooks();
    const call = await ring({
      agent: {
        speech_config: { filler },
        llm_config: { provider: 'scripted', tools: [{ type: 'function', name: 'lookup' }] },
      },
      webhooks,
      stt: scriptedStt({ turns: ['look it up'] }),
      llm: scriptedLlm([calling('lookup'), saying('Found.')]),
    });
    let answer: () => void = () => {};
    webhooks.outcome = () =>
      new Promise((resolve) => {
        answer = () => resolve({ ok: true, status: 200, body: { result: 'ok' }, latencyMs: 1 });
      });
    await call.speak(400);
    await call.quiet(2_000);
    expect(call.tts.utterances).toEqual([['One moment.']]);
    answer();
    await call.quiet(2_000);
    expect(call.tts.utterances).toEqual([['One moment.'], ['Found.']]);
  });

  it('is requested again when it is empty, even after a filler', async () => {
    const call = await ring({
      agent: { speech_config: { filler } },
      stt: scriptedStt({ turns: ['question'] }),
      llm: scriptedLlm([[1_500], saying('Here.')]),
    });
    await call.speak(400);
    await call.quiet(4_000);
    expect(call.llm.requests).toHaveLength(2);
    expect(call.tts.utterances.flat()).toContain('Here.');
  });

  it('is awaited in silence without fillers', async () => {
    const call = await ring({
      stt: scriptedStt({ turns: ['question'] }),
      llm: scriptedLlm([[5_000, ...saying('Yes.')]]),
    });
    await call.speak(400);
    await call.quiet(4_000);
    expect(call.tts.utterances).toEqual([]);
  });
});
