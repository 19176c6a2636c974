import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { PlaybackAccount } from '../../../src/shared/stream/playback-account.ts';

/** Sends frames in real time, and returns the marks. */
async function send(account: PlaybackAccount, clock: VirtualClock, frames: number): Promise<string[]> {
  const marks: string[] = [];
  for (let n = 0; n < frames; n++) {
    const mark = account.sent();
    if (mark !== null) marks.push(mark);
    await clock.advance(20);
  }
  return marks;
}

describe('the account of what a far end has played', () => {
  it('marks every 200 ms', async () => {
    const clock = new VirtualClock();
    expect(await send(new PlaybackAccount(clock), clock, 35)).toEqual(['0.10', '0.20', '0.30']);
  });

  it('assumes that the far end plays in real time between marks', async () => {
    const clock = new VirtualClock();
    const account = new PlaybackAccount(clock);
    for (let n = 0; n < 30; n++) account.sent();
    expect(account.unplayed).toBe(30);
    await clock.advance(100);
    expect(account.unplayed).toBe(25);
    account.returned('0.10');
    expect(account.unplayed).toBe(20);
    await clock.advance(10_000);
    expect(account.unplayed).toBe(0);
  });

  it('ignores marks that come back because their audio was cleared', async () => {
    const clock = new VirtualClock();
    const account = new PlaybackAccount(clock);
    for (let n = 0; n < 20; n++) account.sent();
    expect(account.cleared()).toBe(20);
    for (let n = 0; n < 20; n++) account.sent();
    account.returned('0.10');
    account.returned('0.20');
    expect([account.unplayed, account.isDrained]).toEqual([20, false]);
    account.returned('1.30');
    account.returned('1.40');
    expect([account.unplayed, account.isDrained]).toEqual([0, true]);
  });

  it('leaves out silent frames until the queue is below 100 ms', async () => {
    const clock = new VirtualClock();
    const account = new PlaybackAccount(clock);
    for (let n = 0; n < 30; n++) account.sent();
    expect(account.leavesOut()).toBe(false);
    account.returned('0.20');
    const left = Array.from({ length: 10 }, () => account.leavesOut());
    expect(left.filter(Boolean)).toHaveLength(5);
  });
});
