import { systemClock, type Timer } from '@va/core/adapter';
import { synthesize } from '@va/local-speech';
import { createSipCaller, type SipCall } from '@va/testkit/sip-caller';
import { callerLines, type DemoCallerLine } from './restaurant.ts';

/** Silence of the agent after which the caller speaks. */
const turnPauseMs = 600;
const maxSilenceMs = 30_000;
/** Silence of the agent after which the caller hangs up. */
const lastWordMs = 8_000;

export interface DemoSpeech extends DemoCallerLine {
  readonly audio: Int16Array;
}

/** Synthesizes the caller's lines while the service starts. */
export function rehearse(): Promise<DemoSpeech[]> {
  return Promise.all(
    callerLines.map(async (line) => ({ ...line, audio: await synthesize(line.text, { voice: 'rms' }) })),
  );
}

/** Places the demo call and speaks the caller's lines in turn. */
export async function playCaller(
  target: string,
  lines: readonly DemoSpeech[],
  onSays: (text: string) => void,
): Promise<void> {
  const call = await createSipCaller().dial(target, { from: '<sip:+31612345678@127.0.0.1>' });
  let spokenAtMs = call.answeredAtMs;
  for (const { text, audio, interruptAfterMs } of lines) {
    await call.waitForSpeech({ afterMs: spokenAtMs, timeoutMs: maxSilenceMs });
    if (interruptAfterMs === undefined) await call.waitForSilence({ ms: turnPauseMs, timeoutMs: maxSilenceMs });
    else await listenFor(call, interruptAfterMs);
    onSays(text);
    ({ endedAtMs: spokenAtMs } = await call.say(audio));
  }
  // A hosted model does not always end the call itself.
  await Promise.race([call.ended, call.waitForSilence({ ms: lastWordMs, timeoutMs: maxSilenceMs }).catch(() => {})]);
  await call.hangup();
}

/** Waits for a time while the agent speaks, or until the call ends. */
async function listenFor(call: SipCall, ms: number): Promise<void> {
  let timer: Timer | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = systemClock.setTimer(ms, resolve);
  });
  await Promise.race([passed, call.ended]);
  timer?.cancel();
}
