import { saying, scriptedLlm, scriptedRealtime, scriptedStt, scriptedTts } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { PhoneCall } from '../../support/phone-call.ts';
import { phoneCalls } from '../../support/phone-calls.ts';

const { ring } = phoneCalls();
const again = 'Sorry, I did not understand that. Could you say it again?';
const story = 'Once upon a time there was a harbour with a ship in it and a cook on it and a cat on the cook.';

const said = (call: PhoneCall): string[] =>
  call.notices.flatMap((notice) => (notice.type === 'agent-speaking' ? [notice.text] : []));
const types = (call: PhoneCall): string[] => call.notices.map(({ type }) => type);

describe('speech without recognized words', () => {
  it('makes the agent ask again when it was long enough', async () => {
    const call = await ring({ stt: scriptedStt() });
    await call.speak(1_800);
    await call.quiet(1_500);
    expect(said(call)).toEqual([again]);
    expect(call.llm.requests).toHaveLength(0);
    expect(call.ended).toBeNull();
  });

  it('makes the agent ask again only once until words are recognized', async () => {
    const stt = scriptedStt({ turns: ['', '', 'a table for two', ''] });
    const call = await ring({ stt, llm: scriptedLlm([saying('Certainly.')]) });
    for (let turn = 0; turn < 4; turn += 1) {
      await call.speak(1_800);
      await call.quiet(5_500);
    }
    expect(said(call)).toEqual([again, 'Certainly.', again]);
  });

  it('is ignored when it is short, over agent speech, or without configured prompts', async () => {
    const short = await ring();
    await short.speak(900);
    await short.quiet(3_000);
    expect(said(short)).toEqual([]);
    const silent = await ring({ agent: { speech_config: { unrecognized: { prompts: [] } } } });
    await silent.speak(3_000);
    await silent.quiet(3_000);
    expect(said(silent)).toEqual([]);
    const over = await ring({ agent: { first_message: story }, tts: scriptedTts({ timings: false }) });
    await over.quiet(600);
    await over.speak(1_800);
    await over.quiet(8_000);
    expect(said(over)).toEqual([story]);
    expect(types(over)).toContain('resumed');
  });

  it('resumes a paused agent after a timeout when it never ends', async () => {
    const call = await ring({ agent: { first_message: story }, tts: scriptedTts({ timings: false }) });
    await call.quiet(600);
    await call.speak(9_800);
    expect(types(call)).toContain('interrupted');
    expect(types(call)).not.toContain('resumed');
    await call.speak(500);
    expect(types(call)).toContain('resumed');
    await call.speak(6_000);
    expect(call.notices).toContainEqual(expect.objectContaining({ type: 'agent-spoke', heard: story }));
  });

  it('makes the agent ask again when it never ends, after the STT was asked to finalize', async () => {
    const stt = scriptedStt({ delayMs: 60_000 });
    const call = await ring({ stt });
    await call.speak(12_900);
    expect(said(call)).toEqual([]);
    await call.speak(300);
    expect(said(call)).toEqual([again]);
  });

  it('becomes a turn when the STT returns words on finalize', async () => {
    const call = await ring({ stt: scriptedStt({ turns: ['a long story', 'and its end'] }) });
    await call.speak(14_000);
    expect(said(call)).toEqual([]);
    await call.quiet(2_000);
    const turns = call.notices.flatMap((notice) => (notice.type === 'user-turn' ? [notice.text] : []));
    expect(turns).toEqual(['a long story and its end']);
  });

  it('has no timeout when timeout_ms is 0', async () => {
    const call = await ring({ agent: { speech_config: { unrecognized: { timeout_ms: 0, prompts: [] } } } });
    await call.speak(40_000);
    expect(types(call).filter((type) => type !== 'user-speaking')).toEqual([]);
  });

  it('is answered by a speech-to-speech model after max_turn_ms', async () => {
    const realtime = scriptedRealtime({ turns: ['my whole life'], responses: [saying('I see.')] });
    const call = await ring({
      realtime,
      agent: {
        stt_config: null,
        tts_config: null,
        llm_config: { provider: 'scripted_realtime' },
        speech_config: { endpointing: { max_turn_ms: 20_000 } },
      },
    });
    await call.speak(19_000);
    expect(realtime.sessions[0]?.commands).toEqual([]);
    await call.speak(2_000);
    expect(realtime.sessions[0]?.commands.map(({ type }) => type)).toEqual(['commit', 'respond']);
  });
});

describe('a caller whose audio stops during speech', () => {
  it('ends the turn', async () => {
    const call = await ring({
      stt: scriptedStt({ turns: ['a table for two'] }),
      llm: scriptedLlm([saying('Certainly.')]),
    });
    await call.speak(800);
    await call.nothing(2_500);
    expect(said(call)).toEqual(['Certainly.']);
  });
});
