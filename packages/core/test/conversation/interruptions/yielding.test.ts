import { decodeG711, encodeG711 } from '@va/media';
import { saying, scriptedLlm, scriptedStt, scriptedTts } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { PhoneCall, PhoneCallOptions } from '../../support/phone-call.ts';
import { phoneCalls } from '../../support/phone-calls.ts';

const { ring } = phoneCalls();
const story = 'One two three four five six seven eight nine ten eleven twelve.';
/** Code of the scripted voice, and code of the same sample 12 dB lower. */
const fullCode = 0x10;
const [fullSample = 0] = decodeG711('pcmu', Uint8Array.of(fullCode));
const [loweredCode = 0] = encodeG711('pcmu', Int16Array.of(fullSample * 10 ** (-12 / 20)));

/** Starts a call whose agent tells a story, with the default `speech_config` unless `speech_config` is given. */
async function storyteller(
  turns: string[],
  speech: Record<string, unknown> = {},
  options: PhoneCallOptions = {},
): Promise<PhoneCall> {
  const call = await ring({
    hasDefaultSpeech: true,
    agent: { first_message: story, speech_config: speech },
    stt: scriptedStt({ turns }),
    llm: scriptedLlm([saying('Sure.')]),
    tts: scriptedTts({ code: fullCode }),
    ...options,
  });
  await call.quiet(500);
  return call;
}

/** Returns what the caller hears in the newest frame. */
function level(call: PhoneCall): 'full' | 'lowered' | 'changing' | 'silent' {
  const frame = call.incoming.sent.at(-1) ?? new Uint8Array();
  const codes = new Set(frame);
  if (codes.size > 1) return 'changing';
  if (codes.has(0xff)) return 'silent';
  return codes.has(loweredCode) ? 'lowered' : 'full';
}

const spoken = (call: PhoneCall): unknown => call.notices.find(({ type }) => type === 'agent-spoke');

describe('speech over the agent', () => {
  it('lowers its voice within 100 ms, stops it within 300 ms, and cuts it off with its words', async () => {
    const call = await storyteller(['no, wait']);
    expect(level(call)).toBe('full');
    await call.speak(100);
    expect(level(call)).toBe('lowered');
    await call.speak(200);
    expect(level(call)).toBe('silent');
    expect(spoken(call)).toBeUndefined();
    await call.quiet(400);
    expect(spoken(call)).toMatchObject({ interrupted: true });
  });

  it('counts lowered audio as heard, and paused audio as not heard', async () => {
    const call = await storyteller(['no, wait']);
    const before = call.agentFrames();
    await call.speak(400);
    await call.quiet(600);
    const heardFrames = call.agentFrames() - before;
    expect(heardFrames).toBeGreaterThanOrEqual(11);
    expect(heardFrames).toBeLessThanOrEqual(15);
    // 50 ms per letter.
    const letters = Math.round((call.agentFrames() * 20) / 50);
    const [heard] = call.notices.flatMap((notice) => (notice.type === 'agent-spoke' ? [notice.heard] : []));
    expect(heard?.length).toBeLessThanOrEqual(letters);
    expect(heard?.length).toBeGreaterThan(letters - 7);
  });

  it('returns the agent to full level after a noise of one window', async () => {
    const call = await storyteller([]);
    await call.speak(20);
    await call.quiet(40);
    expect(level(call)).not.toBe('full');
    await call.quiet(160);
    expect(level(call)).toBe('full');
    expect(call.notices.map(({ type }) => type)).not.toContain('interrupted');
  });

  it('resumes the agent after a backchannel, without losing a word', async () => {
    const call = await storyteller(['uh-huh']);
    await call.speak(400);
    expect(level(call)).toBe('silent');
    await call.quiet(300);
    expect(level(call)).not.toBe('silent');
    await call.quiet(4_000);
    expect(spoken(call)).toMatchObject({ heard: story, interrupted: false });
  });

  it('does not lower the agent for a backchannel that is recognized while the caller says it', async () => {
    const call = await storyteller(['uh-huh']);
    await call.speak(60);
    call.stt.streams[0]?.emit({ type: 'partial', text: 'uh-huh' });
    await call.speak(300);
    expect(level(call)).toBe('full');
  });

  it('does not lower the agent with lower_db 0', async () => {
    const call = await storyteller(['no'], { interruption: { lower_db: 0 } });
    await call.speak(200);
    expect(level(call)).toBe('full');
    await call.speak(100);
    expect(level(call)).toBe('silent');
  });

  it('only lowers the agent until the caller has said min_words', async () => {
    const call = await storyteller(['no, wait'], { interruption: { min_words: 2 } });
    await call.speak(600);
    expect(level(call)).toBe('lowered');
    await call.quiet(600);
    expect(spoken(call)).toMatchObject({ interrupted: true });
  });

  it('neither lowers nor stops the agent when interruptions are off', async () => {
    const call = await storyteller(['no'], { interruption: { enabled: false } });
    await call.speak(600);
    expect(level(call)).toBe('full');
  });

  it('does not lower the next reply after an interruption', async () => {
    const call = await storyteller(['no, wait']);
    await call.speak(400);
    await call.quiet(1_500);
    expect(call.llm.requests).toHaveLength(1);
    expect(call.incoming.sent.slice(-50).some((frame) => frame.includes(fullCode))).toBe(true);
    expect(call.incoming.sent.slice(-50).some((frame) => frame.includes(loweredCode))).toBe(false);
  });
});
