import { saying, scriptedLlm, scriptedStt } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { PhoneCall } from '../../support/phone-call.ts';
import { phoneCalls } from '../../support/phone-calls.ts';

const { ring } = phoneCalls();
const story = 'One two three four five six seven eight nine ten eleven twelve thirteen fourteen.';

function types(call: PhoneCall): string[] {
  return call.notices.map(({ type }) => type);
}

/** Puts the call on hold with music for `ms`. */
async function hold(call: PhoneCall, ms: number): Promise<void> {
  call.incoming.sending = false;
  await call.speak(ms);
  call.incoming.sending = true;
}

describe('an agent on hold', () => {
  it('pauses playout and resumes where it stopped', async () => {
    const call = await ring({ agent: { first_message: story } });
    await call.quiet(1_000);
    const before = call.agentFrames();
    await hold(call, 3_000);
    expect(call.agentFrames()).toBe(before);
    expect(types(call)).not.toContain('agent-spoke');
    await call.quiet(20_000);
    const whole = await ring({ agent: { first_message: story } });
    await whole.quiet(20_000);
    expect(call.agentFrames()).toBe(whole.agentFrames());
    expect(call.notices).toContainEqual({ type: 'agent-spoke', full: story, heard: story, interrupted: false });
  });

  it('does not count unsent words as heard', async () => {
    const call = await ring({ agent: { first_message: story } });
    await hold(call, 30_000);
    expect(types(call)).not.toContain('agent-spoke');
    call.incoming.leave();
    await call.nothing(100);
    const spoke = call.notices.find(({ type }) => type === 'agent-spoke');
    expect(spoke).toMatchObject({ full: story, interrupted: true });
    expect(spoke?.type === 'agent-spoke' && spoke.heard.split(' ').length).toBeLessThan(3);
  });

  it('is not interrupted by music, which is not transcribed', async () => {
    const stt = scriptedStt({ turns: ['la la la'] });
    const call = await ring({ stt, agent: { first_message: 'Hello, Anna here.' } });
    await call.quiet(3_000);
    const before = stt.streams[0]?.received ?? 0;
    await hold(call, 10_000);
    expect(types(call)).not.toContain('user-turn');
    expect(call.llm.requests).toEqual([]);
    expect((stt.streams[0]?.received ?? 0) - before).toBeLessThan(10 * 160);
  });

  it('sends no silence prompts and does not hang up, however long the hold lasts', async () => {
    const call = await ring();
    await hold(call, 60_000);
    expect(call.tts.utterances).toEqual([]);
    expect(call.ended).toBeNull();
    await call.quiet(10_500);
    expect(call.tts.utterances).toHaveLength(1);
  });

  it('answers the turn before the hold once the hold ends', async () => {
    const call = await ring({
      stt: scriptedStt({ turns: ['what time is it'] }),
      llm: scriptedLlm([saying('It is noon.')]),
    });
    await call.speak(600);
    await hold(call, 5_000);
    expect(call.agentFrames()).toBe(0);
    await call.quiet(5_000);
    expect(call.notices).toContainEqual(
      expect.objectContaining({ type: 'agent-spoke', heard: 'It is noon.', interrupted: false }),
    );
  });
});
