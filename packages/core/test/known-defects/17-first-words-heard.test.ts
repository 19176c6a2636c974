import { callerFrame, scriptedTts } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { phoneCalls } from '../support/phone-calls.ts';
import { PlacedCall } from '../support/placed-call.ts';

const { ring } = phoneCalls();

describe('17. the first message', () => {
  it('is preceded by a frame every 20 ms from the answer on', async () => {
    const call = await ring({ agent: { first_message: 'Good evening.' }, tts: scriptedTts({ delayMs: 3_000 }) });
    while (!call.incoming.answered) await call.nothing(20);
    expect(call.clock.nowMs()).toBeLessThan(1_500);
    const before = call.incoming.sent.length;
    await call.nothing(1_000);
    expect(call.incoming.sent.length - before).toBe(50);
    expect(call.agentFrames()).toBe(0);
    await call.nothing(4_000);
    expect(call.agentFrames()).toBe(Math.ceil(('Good evening.'.length * 50) / 20));
  });

  it('of an outbound call waits for answering-machine detection, until 500 ms after the callee’s hello', async () => {
    const placed = new PlacedCall({ firstMessage: 'Hello, this is Anna.' });
    await placed.hear(600, () => callerFrame(false));
    const sounding = (): number => placed.leg.sent.filter((frame) => frame.some((code) => code !== 0xff)).length;
    // Silence is sent meanwhile, which opens NAT and firewall bindings.
    expect(placed.leg.sent.length).toBeGreaterThanOrEqual(29);
    expect(sounding()).toBe(0);
    await placed.speak(500, 'Hello?');
    expect(sounding()).toBe(0);
    await placed.quiet(2_500);
    expect(placed.answeredBy).toMatchObject({ kind: 'human' });
    expect(sounding()).toBeGreaterThan(30);
  });

  it('of an outbound call is played when the callee says nothing and sends nothing', async () => {
    const placed = new PlacedCall({ firstMessage: 'Hello, this is Anna.' });
    await placed.clock.advance(15_000);
    expect(placed.leg.sent.some((frame) => frame.some((code) => code !== 0xff))).toBe(true);
  });
});
