import { VirtualClock } from '@va/testkit';
import { expect, it } from 'vitest';
import { SentFrames } from '../../src/server/sent-frames.ts';

function sent(count: number): { clock: VirtualClock; frames: SentFrames } {
  const clock = new VirtualClock();
  const frames = new SentFrames(clock, 160);
  for (let n = 0; n < count; n++) frames.add(new Uint8Array(160).fill(n));
  return { clock, frames };
}

it('sent frames › count as played in real time after the last report', async () => {
  const { clock, frames } = sent(20);
  frames.playedTo(4);
  await clock.advance(100);
  expect(frames.unplayed).toBe(11);
});

it('sent frames › ignore reports about frames that were cleared or never sent', () => {
  const { frames } = sent(20);
  expect(frames.clear().count).toBe(20);
  frames.playedTo(10);
  frames.playedTo(500);
  expect(frames.unplayed).toBe(0);
  frames.add(new Uint8Array(160));
  expect(frames.unplayed).toBe(1);
});

it('sent frames › return what was not played when they are cleared', () => {
  const { frames } = sent(20);
  frames.playedTo(17);
  expect(frames.clear().frames.map(([code]) => code)).toEqual([17, 18, 19]);
});

it('sent frames › keep the last two seconds for a page that reconnects', () => {
  const { frames } = sent(120);
  expect(frames.from(0).map(({ sequence }) => sequence)).toEqual(Array.from({ length: 100 }, (_, n) => n + 20));
  expect(frames.from(118).map(({ sequence, frame }) => [sequence, frame[0]])).toEqual([
    [118, 118],
    [119, 119],
  ]);
});
