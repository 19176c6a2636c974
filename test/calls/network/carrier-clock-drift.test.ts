import type { Clock } from '@va/core/adapter';
import { VirtualClock } from '@va/testkit';
import { expect, it } from 'vitest';
import { frameMs, PlaybackAccount } from '../../../packages/carriers/src/shared/stream/playback-account.ts';
import { StreamPlayback } from '../../../packages/testkit/src/carrier-servers/stream-playback.ts';

const speech = new Uint8Array(160).fill(0x0f);
const silence = new Uint8Array(160).fill(0xff);

/** The clock of a carrier: faster than the given one by a factor. */
function driftingClock(clock: VirtualClock, rate: number): Clock {
  return {
    nowMs: () => clock.nowMs() * rate,
    wallMs: () => clock.wallMs(),
    setTimer: (delayMs, run) => clock.setTimer(delayMs / rate, run),
  };
}

/**
 * Sends ten minutes of speech and silence, 8 s and 4 s each, to a carrier. Returns the largest error of the account
 * during speech, and the largest delay by what is queued, in milliseconds.
 */
async function tenMinutes(rate: number): Promise<{ errorMs: number; delayMs: number }> {
  const clock = new VirtualClock();
  const account = new PlaybackAccount(clock);
  const playback = new StreamPlayback(driftingClock(clock, rate), (name) => account.returned(name));
  let [errorMs, delayMs] = [0, 0];
  for (let atMs = 0; atMs < 600_000; atMs += frameMs) {
    const isSpeech = atMs % 12_000 < 8_000;
    if (isSpeech || !account.leavesOut()) {
      playback.push(isSpeech ? speech : silence);
      const mark = account.sent();
      if (mark !== null) playback.mark(mark);
    }
    await clock.advance(frameMs);
    if (isSpeech) errorMs = Math.max(errorMs, Math.abs(account.unplayed - playback.queued) * frameMs);
    delayMs = Math.max(delayMs, playback.queued * frameMs);
  }
  playback.stop();
  return { errorMs, delayMs };
}

// A carrier whose clock is 1 % off plays 6 s more or less in ten minutes.
it.each([0.99, 1.01])('PlaybackAccount › is at most 100 ms off for a carrier whose clock rate is %d', async (rate) => {
  const even = await tenMinutes(1);
  const drifting = await tenMinutes(rate);
  expect(drifting.errorMs).toBeLessThanOrEqual(100);
  expect(drifting.delayMs - even.delayMs).toBeLessThanOrEqual(100);
});
