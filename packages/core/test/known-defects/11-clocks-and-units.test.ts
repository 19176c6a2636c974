import { calling, saying, scriptedLlm, scriptedStt } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { PhoneCall } from '../support/phone-call.ts';
import { phoneCalls } from '../support/phone-calls.ts';

const { keep } = phoneCalls();
const hourMs = 3_600_000;

/** A call during which the wall clock is changed three times. */
async function serve(stepMs: number): Promise<{ call: PhoneCall; happened: [number, string][] }> {
  const call = keep(
    new PhoneCall({
      stt: scriptedStt({ turns: ['Look it up.', 'Thank you.'] }),
      llm: scriptedLlm([
        [200, ...calling('look_up')],
        [200, ...saying('Here it is.')],
        [200, ...saying('Bye.')],
      ]),
    }),
  );
  let offsetMs = 0;
  const wallMs = call.clock.wallMs.bind(call.clock);
  call.clock.wallMs = () => wallMs() + offsetMs;
  await call.prepare({
    first_message: 'Good evening.',
    llm_config: { provider: 'scripted', tools: [{ type: 'function', name: 'look_up' }] },
    speech_config: { silence: { timeout_ms: 5_000, prompts: ['Are you there?'] } },
  });
  await call.dial();
  const happened: [number, string][] = [];
  const from = call.clock.nowMs();
  call.va.events.on('call.notice', ({ notice }) => happened.push([call.clock.nowMs() - from, notice.type]));
  await call.quiet(1_000);
  offsetMs += stepMs;
  await call.speak(600);
  await call.quiet(300);
  offsetMs -= 2 * stepMs;
  await call.quiet(2_500);
  await call.speak(600);
  offsetMs += 3 * stepMs;
  await call.quiet(14_000);
  call.incoming.leave();
  await call.quiet(60);
  return { call, happened };
}

describe('11. intervals', () => {
  it.each([hourMs, -hourMs, 90])('are not affected when the system time changes by %s ms', async (stepMs) => {
    const usual = await serve(0);
    const stepped = await serve(stepMs);
    expect(stepped.happened).toEqual(usual.happened);
    const [stored, expected] = [await stepped.call.stored(), await usual.call.stored()];
    expect(stored.latency).toEqual(expected.latency);
    // The billed duration.
    expect(stored.duration_seconds).toBe(expected.duration_seconds);
    expect(stored.duration_seconds).toBeGreaterThan(10);
  });

  it('are never negative in the latency of a turn', async () => {
    const { call } = await serve(-hourMs);
    const { latency } = await call.stored();
    const figures = (latency?.turns ?? []).flatMap((turn) => Object.values(turn));
    expect(figures.length).toBeGreaterThan(5);
    expect(figures.filter((ms) => ms !== null && ms < 0)).toEqual([]);
  });
});
