import { encodeG711, loadSileroVad } from '@va/media';
import { hasHumanSpeech } from '@va/test-servers/audio';
import { calling, ScriptedWebhooks, saying, scriptedLlm, scriptedStt } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { sentences } from '../speech/corpus.ts';
import { phoneCalls } from '../support/phone-calls.ts';

const { ring } = phoneCalls();
const tools = { llm_config: { provider: 'scripted', tools: [{ type: 'function', name: 'look_up' }] } };
const impatient = { silence: { timeout_ms: 2_000, prompts: ['Are you there?', 'Hello?'] } };

describe('14. a turn is never stuck', () => {
  it.skipIf(!hasHumanSpeech())(
    'when a person’s audio stops in the middle of a word (asterisk-core-sounds-en-wav)',
    async () => {
      const call = await ring({
        service: { vad: loadSileroVad() },
        stt: scriptedStt({ turns: ['Is it open?'] }),
        llm: scriptedLlm([saying('Yes.')]),
      });
      const [sentence] = await sentences(1);
      const { fromMs } = sentence?.voiced[0] ?? { fromMs: 0 };
      const codes = encodeG711('pcmu', sentence?.pcm ?? new Int16Array(0)).subarray(0, (fromMs + 700) * 8);
      for (let at = 0; at + 160 <= codes.length; at += 160) {
        call.incoming.hear(codes.subarray(at, at + 160));
        await call.clock.advance(20);
      }
      expect(call.notices.map(({ type }) => type)).toEqual(['user-speaking']);
      await call.nothing(2_000);
      expect(call.tts.utterances).toEqual([['Yes.']]);
    },
  );

  it('when the model replies only with tool calls', async () => {
    const call = await ring({
      agent: tools,
      stt: scriptedStt({ turns: ['Look it up.', 'And then?'] }),
      llm: scriptedLlm((request, index) =>
        request.tools.length > 0 ? calling('look_up', {}, `c${index}`) : saying('Done.'),
      ),
    });
    await call.speak(500);
    await call.quiet(3_000);
    expect(call.tts.utterances).toEqual([['Done.']]);
    await call.speak(500);
    await call.quiet(3_000);
    expect(call.tts.utterances).toEqual([['Done.'], ['Done.']]);
  });

  it('and gets no silence prompt while a tool runs, but after it', async () => {
    const webhooks = new ScriptedWebhooks();
    let answer: (outcome: { ok: true; status: number; body: unknown; latencyMs: number }) => void = () => {};
    webhooks.outcome = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const call = await ring({
      webhooks,
      agent: { ...tools, speech_config: impatient },
      stt: scriptedStt({ turns: ['Look it up.'] }),
      llm: scriptedLlm([calling('look_up'), saying('Here.')]),
    });
    await call.speak(500);
    await call.quiet(4_000);
    expect(call.tts.utterances).toEqual([]);
    // A cough interrupts the agent's turn, but not the tool.
    await call.speak(700);
    await call.quiet(5_000);
    expect(call.tts.utterances).toEqual([]);
    answer({ ok: true, status: 200, body: { result: 1 }, latencyMs: 9_000 });
    await call.quiet(1_000);
    expect(call.tts.utterances).toEqual([['Here.']]);
    await call.quiet(2_000);
    expect(call.tts.utterances).toEqual([['Here.'], ['Are you there?']]);
  });

  it('and gets no silence prompt during long speech of the caller or the agent', async () => {
    const call = await ring({
      agent: { speech_config: impatient, first_message: 'Well now. '.repeat(20).trim() },
      stt: scriptedStt({ turns: ['It is a long story.'] }),
    });
    await call.quiet(8_000);
    expect(call.tts.utterances).toHaveLength(1);
    await call.quiet(1_500);
    await call.speak(20_000);
    expect(call.tts.utterances.flat()).not.toContain('Are you there?');
  });
});
