import { saying, scriptedLlm, scriptedStt } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { PhoneCall } from '../support/phone-call.ts';
import { phoneCalls } from '../support/phone-calls.ts';

const { ring } = phoneCalls();

async function press(call: PhoneCall, digits: string): Promise<void> {
  for (const digit of digits) {
    call.incoming.press(digit);
    await call.quiet(200);
  }
}

function turns(call: PhoneCall): string[] {
  return call.notices.flatMap((notice) => (notice.type === 'user-turn' ? [notice.text] : []));
}

describe('keys', () => {
  it('become a turn two seconds after the last key', async () => {
    const call = await ring({ llm: scriptedLlm([saying('Thank you.')]) });
    await press(call, '1234');
    await call.quiet(1_760);
    expect(turns(call)).toEqual([]);
    await call.quiet(60);
    expect(turns(call)).toEqual(['[keys pressed: 1234]']);
    expect(call.llm.requests[0]?.messages.at(-1)).toEqual({ role: 'user', content: '[keys pressed: 1234]' });
    await call.quiet(1_000);
    expect(call.tts.utterances).toEqual([['Thank you.']]);
  });

  it('are completed by the terminator, which is not part of them', async () => {
    const call = await ring();
    await press(call, '42#');
    expect(turns(call)).toEqual(['[keys pressed: 42]']);
  });

  it('include the terminator when it is the only key', async () => {
    const call = await ring();
    await press(call, '#');
    expect(turns(call)).toEqual(['[keys pressed: #]']);
  });

  it('are completed by max_digits', async () => {
    const call = await ring({ agent: { speech_config: { dtmf: { max_digits: 4, terminator: null } } } });
    await press(call, '12#45');
    expect(turns(call)).toEqual(['[keys pressed: 12#4]']);
  });

  it('interrupt the agent with the first key', async () => {
    const menu = 'Press one for sales, press two for service, and three for everything else.';
    const call = await ring({ agent: { first_message: menu }, llm: scriptedLlm([saying('Service.')]) });
    await call.quiet(1_000);
    call.incoming.press('2');
    await call.quiet(40);
    const stopped = call.agentFrames();
    await call.quiet(1_500);
    expect(call.agentFrames()).toBe(stopped);
    expect(call.llm.requests).toHaveLength(0);
    await call.quiet(1_000);
    expect(call.llm.requests[0]?.messages.at(-2)?.content).toMatch(/^Press one for/);
    expect(call.agentFrames()).toBeGreaterThan(stopped);
  });

  it('do not interrupt a message that is not interruptible', async () => {
    const consent = 'This call is recorded.';
    const call = await ring({
      agent: { first_message: consent, speech_config: { first_message_interruptible: false } },
    });
    await call.quiet(300);
    await press(call, '1#');
    await call.quiet(2_000);
    expect(call.notices).toContainEqual({ type: 'agent-spoke', full: consent, heard: consent, interrupted: false });
    expect(call.llm.requests).toHaveLength(1);
  });

  it('become a turn before the words that are spoken meanwhile', async () => {
    const call = await ring({ stt: scriptedStt({ turns: ['my code is'] }) });
    call.incoming.press('7');
    call.incoming.press('#');
    await call.speak(600);
    await call.quiet(3_000);
    expect(turns(call)).toEqual(['[keys pressed: 7]', 'my code is']);
  });

  it('start no turn when dtmf is disabled', async () => {
    const call = await ring({ agent: { speech_config: { dtmf: { enabled: false } } } });
    await press(call, '123#');
    await call.quiet(3_000);
    expect(call.llm.requests).toHaveLength(0);
  });
});
