import { saying, scriptedLlm, scriptedStt } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { PhoneCall } from '../../support/phone-call.ts';
import { phoneCalls } from '../../support/phone-calls.ts';

const { ring } = phoneCalls();

/** Returns the time from the caller's last frame to the end of the turn, in whole frames. */
async function waited(call: PhoneCall): Promise<number> {
  const before = turns(call).length;
  for (let ms = 0; ms < 10_000; ms += 20) {
    if (turns(call).length > before) return ms;
    await call.quiet(20);
  }
  throw new Error('the turn never ended');
}

function turns(call: PhoneCall): string[] {
  return call.notices.flatMap((notice) => (notice.type === 'user-turn' ? [notice.text] : []));
}

describe('the endpointing delay', () => {
  it.each([
    ['I would like to book a table.', 560],
    ['Thank you very much', 560],
    ['I would like to book a table and', 1_480],
    ['my number is zero six one two', 1_780],
  ])('after "%s" is %i ms', async (text, expectedMs) => {
    const call = await ring({ stt: scriptedStt({ turns: [text] }) });
    await call.speak(600);
    expect(await waited(call)).toBe(expectedMs);
  });

  it('is the minimum in fixed mode', async () => {
    const call = await ring({
      agent: { speech_config: { endpointing: { mode: 'fixed' } } },
      stt: scriptedStt({ turns: ['a table and'] }),
    });
    await call.speak(600);
    expect(await waited(call)).toBe(560);
  });

  it('never exceeds max_delay_ms', async () => {
    const call = await ring({
      agent: { speech_config: { endpointing: { max_delay_ms: 900 } } },
      stt: scriptedStt({ turns: ['my number is zero six one two'] }),
    });
    await call.speak(600);
    expect(await waited(call)).toBe(880);
  });

  it('grows when the caller pauses within a turn, and shrinks again later', async () => {
    const words = ['well I think', 'we should go', 'some time next week', 'or the week after'];
    const call = await ring({ stt: scriptedStt({ turns: words }), llm: scriptedLlm([[9_000, ...saying('Yes.')]]) });
    // The pause is taken for the end of the turn, which the next speech disproves.
    await call.speak(600);
    await call.quiet(1_000);
    await call.speak(600);
    const second = await waited(call);
    expect(second).toBeGreaterThanOrEqual(1_100);
    expect(second).toBeLessThanOrEqual(1_250);
    await call.quiet(4_000);
    await call.speak(600);
    const third = await waited(call);
    expect(third).toBeLessThan(second);
    expect(third).toBeGreaterThan(560);
  });

  it('is cut off at max_turn_ms when the caller never pauses, and no words are answered twice', async () => {
    const call = await ring({
      agent: { speech_config: { endpointing: { max_turn_ms: 5_000 } } },
      stt: scriptedStt({ turns: ['so I said to him', 'and then he left'] }),
      llm: scriptedLlm([saying('I see.')]),
    });
    await call.speak(400);
    call.stt.streams[0]?.emit({ type: 'partial', text: 'so I said to him' });
    await call.speak(4_500);
    expect(turns(call)).toEqual([]);
    await call.speak(200);
    expect(turns(call)).toEqual(['so I said to him']);
    expect(call.llm.requests).toHaveLength(1);
  });
});

describe('an STT provider that detects turns', () => {
  it('ends the turn earlier than the VAD', async () => {
    const call = await ring({ stt: scriptedStt({ judgesTurns: true }), llm: scriptedLlm([saying('Sure.')]) });
    await call.speak(600);
    call.stt.streams[0]?.emit({ type: 'turn-started' });
    call.stt.streams[0]?.emit({ type: 'final', text: 'book a table' });
    await call.quiet(200);
    expect(turns(call)).toEqual([]);
    call.stt.streams[0]?.emit({ type: 'turn-ended' });
    await call.quiet(40);
    expect(turns(call)).toEqual(['book a table']);
    expect(call.agentFrames()).toBeGreaterThan(0);
  });

  it('starts a preemptive reply on turn-ending, and cancels it on turn-resumed', async () => {
    const call = await ring({
      stt: scriptedStt({ judgesTurns: true }),
      llm: scriptedLlm([[500, ...saying('One.')], saying('Two.')]),
    });
    const stream = call.stt.streams[0];
    await call.speak(600);
    stream?.emit({ type: 'partial', text: 'book a table' });
    stream?.emit({ type: 'turn-ending' });
    await call.quiet(20);
    expect(call.llm.requests).toHaveLength(1);
    stream?.emit({ type: 'turn-resumed' });
    await call.quiet(20);
    expect(call.llm.requests[0]?.signal.aborted).toBe(true);
    stream?.emit({ type: 'final', text: 'book a table for two' });
    stream?.emit({ type: 'turn-ended' });
    await call.quiet(500);
    expect(call.tts.utterances).toEqual([['Two.']]);
  });

  it('is waited for no longer than max_delay_ms', async () => {
    const call = await ring({ stt: scriptedStt({ judgesTurns: true }) });
    await call.speak(600);
    call.stt.streams[0]?.emit({ type: 'final', text: 'hello' });
    expect(await waited(call)).toBe(2_980);
  });
});
