import { saying, scriptedLlm, scriptedRealtime, scriptedStt } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { phoneCalls } from '../support/phone-calls.ts';

const { ring } = phoneCalls();

describe('7. the transcript', () => {
  it('is in the order of speech when a speech-to-speech model sends transcripts two turns later', async () => {
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

  it('does not end a turn with late final words of the previous one', async () => {
    const call = await ring({
      // Final words arrive 3.5 s after the turn, later than max_delay_ms.
      stt: scriptedStt({ turns: ['Late words.', 'Second words.'], delayMs: 3_500 }),
      llm: scriptedLlm([saying('Yes.')]),
      agent: { speech_config: { endpointing: { max_delay_ms: 1_000 } } },
    });
    await call.speak(600);
    await call.quiet(3_000);
    // The late words arrive in the middle of the next turn.
    await call.speak(1_500);
    await call.quiet(600);
    expect(call.agentFrames()).toBe(0);
    call.stt.streams[0]?.emit({ type: 'final', text: 'Where are you?' });
    await call.quiet(2_000);
    expect(call.agentFrames()).toBeGreaterThan(0);
    const asked = call.llm.requests.at(-1)?.messages.filter(({ role }) => role === 'user') ?? [];
    expect(asked.at(-1)?.content).toContain('Where are you?');
  });

  it('has one message per turn when only the latest turn is answered', async () => {
    const call = await ring({
      stt: scriptedStt({ turns: ['What is one?', 'What is two?', 'What is three?'] }),
      llm: scriptedLlm((request) => [2_500, ...saying(`To: ${request.messages.at(-1)?.content}`)]),
    });
    // The next turn overtakes the replies to the first two.
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
