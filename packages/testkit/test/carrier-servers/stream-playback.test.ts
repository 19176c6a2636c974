import { beforeEach, describe, expect, it } from 'vitest';
import { StreamPlayback } from '../../src/carrier-servers/stream-playback.ts';
import { VirtualClock } from '../../src/virtual-clock.ts';

describe('StreamPlayback', () => {
  let clock: VirtualClock;
  let marks: [string, number][];

  beforeEach(() => {
    clock = new VirtualClock();
    marks = [];
  });

  const playback = (options?: ConstructorParameters<typeof StreamPlayback>[2]): StreamPlayback =>
    new StreamPlayback(clock, (name) => marks.push([name, clock.nowMs()]), options);

  /** Returns the first byte of each played frame; `.` for silence. */
  const playedBy = ({ played }: StreamPlayback): string =>
    played.map((frame) => (frame[0] === 0xff ? '.' : String(frame[0]))).join('');

  const frames = (...values: number[]): Uint8Array =>
    Uint8Array.from({ length: 160 * values.length }, (_, i) => values[Math.floor(i / 160)] ?? 0);

  it('plays audio of any length in frames of 20 ms, after its delay', async () => {
    const stream = playback();
    const audio = frames(1, 2, 3);
    stream.push(audio.subarray(0, 100));
    stream.push(audio.subarray(100));
    await clock.advance(180);
    expect(playedBy(stream)).toBe('.....123..');
    expect(stream.mostQueued).toBe(3);
    expect(stream.queued).toBe(0);
  });

  it('delays audio only when its queue is empty', async () => {
    const stream = playback({ delayMs: 40 });
    stream.push(frames(1, 2));
    await clock.advance(50);
    stream.push(frames(3));
    await clock.advance(100);
    stream.push(frames(4));
    await clock.advance(100);
    expect(playedBy(stream)).toBe('..123.....4..');
  });

  it('returns a mark when everything before it was played', async () => {
    const stream = playback({ delayMs: 0 });
    stream.mark('start');
    stream.push(frames(1, 2));
    stream.mark('middle');
    stream.push(frames(3));
    stream.mark('end');
    await clock.advance(100);
    expect(marks).toEqual([
      ['start', 0],
      ['middle', 20],
      ['end', 40],
    ]);
  });

  it('returns all marks at once when it is cleared, and plays silence', async () => {
    const stream = playback({ delayMs: 0 });
    stream.push(frames(1, 2, 3, 4));
    stream.mark('end');
    await clock.advance(20);
    stream.clear();
    expect(marks).toEqual([['end', 20]]);
    await clock.advance(40);
    expect(playedBy(stream)).toBe('12..');
    expect(stream.cleared).toBe(1);
  });

  it('drops the marks of cleared audio if the carrier does', () => {
    const stream = playback({ returnsCleared: false });
    stream.push(frames(1));
    stream.mark('end');
    stream.clear();
    expect(marks).toEqual([]);
  });

  it('plays 16 kHz audio in frames of 640 bytes', async () => {
    const stream = playback({ encoding: 'pcm16', delayMs: 0 });
    stream.push(new Uint8Array(1_280).fill(1));
    await clock.advance(20);
    expect(stream.played.map((frame) => frame.length)).toEqual([640, 640]);
  });

  it('leaves no timer behind when it stops', () => {
    playback().stop();
    expect(clock.pending).toBe(0);
  });
});
