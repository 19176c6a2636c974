import { scriptedStt } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { PhoneCall } from '../support/phone-call.ts';
import { deafModel, deafVoice } from './rude-providers.ts';

const words = 'First one. Second one. Third one. Fourth one. Fifth one.'.split(/(?<=\.) /);

async function interruptedTenTimes(): Promise<{
  call: PhoneCall;
  voice: ReturnType<typeof deafVoice>;
  cutAt: number[];
}> {
  const voice = deafVoice();
  const turns = Array.from({ length: 30 }, (_, i) => `Number ${i}, please.`);
  const call = new PhoneCall({
    stt: scriptedStt({ turns }),
    service: {
      providers: [scriptedStt({ turns }), deafModel((request) => words.map((word) => `${request} ${word}`)), voice],
    },
  });
  await call.prepare({ first_message: 'Good evening.', speech_config: { interruption: { resume_after_ms: 0 } } });
  await call.dial();
  const cutAt: number[] = [];
  for (let turn = 0; turn < 10; turn++) {
    await call.quiet(1_400);
    await call.speak(700);
    cutAt.push(call.incoming.sent.length);
  }
  await call.quiet(6_000);
  return { call, voice, cutAt };
}

describe('3. text and audio of cancelled work', () => {
  it('is not played after ten interruptions, with providers that ignore cancellation', async () => {
    const { call, voice, cutAt } = await interruptedTenTimes();
    expect(call.notices.filter(({ type }) => type === 'interrupted').length).toBeGreaterThanOrEqual(10);
    // Each utterance is played without a break, and none after a later one has started.
    const heard = call.incoming.sent.map((frame) => frame[0] ?? 0).filter((code) => code !== 0xff);
    const order = heard.filter((code, at) => code !== heard[at - 1]);
    expect(order).toEqual([...new Set(order)]);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    // No utterance is played after its interruption.
    for (const at of cutAt) {
      const before = new Set(call.incoming.sent.slice(0, at - 10).map((frame) => frame[0] ?? 0));
      const after = call.incoming.sent.slice(at).map((frame) => frame[0] ?? 0);
      expect(after.filter((code) => code !== 0xff && before.has(code))).toEqual([]);
    }
    expect(voice.codes.length).toBeGreaterThan(10);
    await call.close();
  });

  it('is not stored in the transcript', async () => {
    const { call } = await interruptedTenTimes();
    call.incoming.leave();
    await call.nothing(4_000);
    const { messages } = await call.stored();
    // The text of the model contains the number of its request: replies are in order and none appears twice.
    const requests = messages.flatMap(({ role, content }) =>
      role === 'assistant' ? [Number.parseInt(content, 10)] : [],
    );
    const numbered = requests.filter((request) => !Number.isNaN(request));
    expect(numbered).toEqual([...new Set(numbered)].sort((a, b) => a - b));
    await call.close();
  });
});
