import { saying, scriptedLlm, scriptedRealtime, scriptedStt } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { phoneCalls } from '../support/phone-calls.ts';

const { ring } = phoneCalls();

describe('7. the transcript', () => {
  it('is in the order of speech where a speech-to-speech model tells the words after two more turns', async () => {
    const call = await ring({
      realtime: scriptedRealtime({
        turns: ['first question', 'second question'],
        wordsDelayMs: 6_000,
        responses: [saying('First answer.'), saying('Second answer.')],
      }),
      agent: { stt_config: null, tts_config: null, llm_config: { provider: 'scripted_realtime' } },
    });
    await call.speak(600);
    await call.quiet(2_400);
    await call.speak(600);
    await call.quiet(9_000);
    call.incoming.leave();
    await call.nothing(60);
    expect((await call.stored()).messages.map(({ content }) => content)).toEqual([
      'first question',
      'First answer.',
      'second question',
      'Second answer.',
    ]);
  });

  it('has the last words of a turn in no other: a final that comes late ends nothing', async () => {
    const call = await ring({
      // The words of a turn come 3.5 s after it, which is later than they are waited for.
      stt: scriptedStt({ turns: ['Late words.', 'Second words.'], delayMs: 3_500 }),
      llm: scriptedLlm([saying('Yes.')]),
      agent: { speech_config: { endpointing: { max_delay_ms: 1_000 } } },
    });
    await call.speak(600);
    await call.quiet(3_000);
    // The late words come in the middle of the next turn.
    await call.speak(1_500);
    await call.quiet(600);
    expect(call.tts.utterances).toEqual([]);
    call.stt.streams[0]?.emit({ type: 'final', text: 'Where are you?' });
    await call.quiet(2_000);
    expect(call.tts.utterances).toEqual([['Yes.']]);
    const asked = call.llm.requests.at(-1)?.messages.filter(({ role }) => role === 'user') ?? [];
    expect(asked.at(-1)?.content).toContain('Where are you?');
  });

  it('answers the newest turn, with those before it as they were said', async () => {
    const call = await ring({
      stt: scriptedStt({ turns: ['What is one?', 'What is two?', 'What is three?'] }),
      llm: scriptedLlm((request) => [2_500, ...saying(`To: ${request.messages.at(-1)?.content}`)]),
    });
    // Each of the first two is overtaken by the next before its answer comes.
    for (const pause of [1_500, 1_500, 5_000]) {
      await call.speak(600);
      await call.quiet(pause);
    }
    expect(call.tts.utterances).toEqual([['To: What is three?']]);
    const { messages } = call.llm.requests.at(-1) ?? { messages: [] };
    expect(messages.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
      'What is one?',
      'What is two?',
      'What is three?',
    ]);
  });
});
