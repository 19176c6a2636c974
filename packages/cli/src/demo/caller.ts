import { systemClock, type Timer } from '@va/core/adapter';
import { synthesize } from '@va/local-speech';
import { createSipCaller, type SipCall } from '@va/testkit/sip-caller';
import { type CallerLine, callerLines } from './restaurant.ts';

/** Silence after which the other side may speak. */
const turnPauseMs = 600;
const patienceMs = 30_000;
/** Silence after which the caller hangs up. */
const lastWordMs = 8_000;

export interface SpokenLine extends CallerLine {
  readonly audio: Int16Array;
}

/** Synthesizes the caller's lines, while the service starts. */
export function rehearse(): Promise<SpokenLine[]> {
  return Promise.all(
    callerLines.map(async (line) => ({ ...line, audio: await synthesize(line.text, { voice: 'rms' }) })),
  );
}

/** Places the demo call and speaks the caller's lines in turn. */
export async function playCaller(
  target: string,
  lines: readonly SpokenLine[],
  onSays: (text: string) => void,
): Promise<void> {
  const call = await createSipCaller().dial(target, { from: '<sip:+31612345678@127.0.0.1>' });
  let spokenAtMs = call.answeredAtMs;
  for (const { text, audio, interruptAfterMs } of lines) {
    await call.waitForSpeech({ afterMs: spokenAtMs, timeoutMs: patienceMs });
    if (interruptAfterMs === undefined) await call.waitForSilence({ ms: turnPauseMs, timeoutMs: patienceMs });
    else await listenFor(call, interruptAfterMs);
    onSays(text);
    ({ endedAtMs: spokenAtMs } = await call.say(audio));
  }
  // A hosted model may not end the call by itself.
  await Promise.race([call.ended, call.waitForSilence({ ms: lastWordMs, timeoutMs: patienceMs }).catch(() => {})]);
  await call.hangup();
}

/** Lets the agent speak for a while, or until the call ends. */
async function listenFor(call: SipCall, ms: number): Promise<void> {
  let timer: Timer | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = systemClock.setTimer(ms, resolve);
  });
  await Promise.race([passed, call.ended]);
  timer?.cancel();
}
