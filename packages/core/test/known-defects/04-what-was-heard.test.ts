import { saying, scriptedLlm, scriptedRealtime, scriptedStt, scriptedTts } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { phoneCalls } from '../support/phone-calls.ts';

const { ring } = phoneCalls();
const story = 'One two three four five six seven eight nine ten eleven twelve.';
const cutsAtOnce = { interruption: { resume_after_ms: 0 } };

describe('4. the transcript', () => {
  it.each([true, false])(
    'has only the heard text, in requests and in the record; word timings: %s',
    async (timings) => {
      const call = await ring({
        agent: { first_message: 'Hi.', speech_config: cutsAtOnce },
        tts: scriptedTts({ timings }),
        stt: scriptedStt({ turns: ['tell me', 'wait'] }),
        llm: scriptedLlm([saying(story), saying('Yes?')]),
      });
      await call.quiet(400);
      await call.speak(400);
      await call.quiet(1_600);
      await call.speak(700);
      await call.quiet(2_000);
      const spoken = call.notices.find((notice) => notice.type === 'agent-spoke' && notice.interrupted);
      if (spoken?.type !== 'agent-spoke') throw new Error('the agent was not interrupted');
      // The notice also has the full text.
      expect(spoken.full).toBe(story);
      expect(spoken.heard).not.toBe('');
      expect(story.startsWith(spoken.heard)).toBe(true);
      expect(spoken.heard.length).toBeLessThan(story.length);
      expect(call.llm.requests.at(-1)?.messages).toContainEqual({ role: 'assistant', content: spoken.heard });
      expect(JSON.stringify(call.llm.requests.at(-1)?.messages)).not.toContain('twelve');
      call.incoming.leave();
      await call.quiet(60);
      expect((await call.stored()).messages).toContainEqual({ role: 'assistant', content: spoken.heard });
    },
  );

  it('omits a reply without audio, and has the full text of a reply that was played', async () => {
    const call = await ring({
      agent: { speech_config: cutsAtOnce },
      tts: scriptedTts({ delayMs: 1_500 }),
      stt: scriptedStt({ turns: ['Tell me everything.', 'No, something else.'] }),
      llm: scriptedLlm([saying('Never heard.'), saying('Heard to the end.')]),
    });
    await call.speak(600);
    await call.quiet(1_100);
    await call.speak(700);
    await call.quiet(4_500);
    call.incoming.leave();
    await call.quiet(60);
    const { messages } = await call.stored();
    expect(messages.filter(({ role }) => role === 'assistant')).toEqual([
      { role: 'assistant', content: 'Heard to the end.' },
    ]);
    expect(JSON.stringify(call.llm.requests.at(-1)?.messages)).not.toContain('Never heard');
  });

  it('of a speech-to-speech model is truncated at the same time by the provider', async () => {
    const realtime = scriptedRealtime({ turns: ['tell me', 'wait'], responses: [saying(story), saying('Yes?')] });
    const call = await ring({
      realtime,
      agent: {
        stt_config: null,
        tts_config: null,
        llm_config: { provider: 'scripted_realtime' },
        speech_config: cutsAtOnce,
      },
    });
    await call.speak(600);
    await call.quiet(2_000);
    await call.speak(700);
    const playedMs = call.agentFrames() * 20;
    await call.quiet(200);
    const truncated = realtime.sessions[0]?.commands.filter(({ type }) => type === 'truncate');
    expect(truncated).toEqual([{ type: 'truncate', item: expect.any(String), heardMs: playedMs }]);
  });
});
