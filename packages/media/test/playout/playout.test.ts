import { describe, expect, it } from 'vitest';
import { Playout, type PlayoutEvent } from '../../src/playout/playout.ts';

function playout(): { playout: Playout; events: PlayoutEvent[] } {
  const events: PlayoutEvent[] = [];
  return { playout: new Playout('pcmu', (event) => events.push(event)), events };
}

describe('Playout', () => {
  it('splits audio of any length into frames and pads the last one with silence', () => {
    const { playout: queue } = playout();
    queue.open(1);
    queue.play(1, new Uint8Array(100).fill(1));
    expect(queue.take()).toBeNull();
    queue.play(1, new Uint8Array(100).fill(2));
    queue.finish(1);
    const first = queue.take();
    expect([first?.[99], first?.[100], first?.[159]]).toEqual([1, 2, 2]);
    const last = queue.take();
    expect([last?.[39], last?.[40], last?.length]).toEqual([2, 0xff, 160]);
    expect(queue.take()).toBeNull();
  });

  it('reports the start and end of an utterance when its frames are taken', () => {
    const { playout: queue, events } = playout();
    queue.open(1);
    queue.play(1, new Uint8Array(320));
    expect(events).toEqual([]);
    queue.take();
    expect(events).toEqual([{ type: 'started', utterance: 1 }]);
    queue.finish(1);
    expect(events).toHaveLength(1);
    queue.take();
    expect(events.at(-1)).toEqual({ type: 'finished', utterance: 1, playedMs: 40 });
  });

  it('waits while the synthesizer is slower than real time, and continues', () => {
    const { playout: queue, events } = playout();
    queue.open(1);
    queue.play(1, new Uint8Array(160));
    queue.take();
    expect(queue.take()).toBeNull();
    queue.play(1, new Uint8Array(160));
    expect(queue.take()).not.toBeNull();
    expect(events).toHaveLength(1);
  });

  it('plays utterances in the order of opening, whichever audio arrives first', () => {
    const { playout: queue } = playout();
    queue.open(1);
    queue.open(2);
    queue.play(2, new Uint8Array(160).fill(2));
    queue.finish(2);
    queue.play(1, new Uint8Array(160).fill(1));
    queue.finish(1);
    expect([queue.take()?.[0], queue.take()?.[0]]).toEqual([1, 2]);
  });

  it('returns the played duration of each utterance when cleared, and drops their later audio', () => {
    const { playout: queue } = playout();
    queue.open(1);
    queue.open(2);
    queue.play(1, new Uint8Array(800));
    queue.take();
    queue.take();
    expect(queue.clear()).toEqual([
      { utterance: 1, playedMs: 40 },
      { utterance: 2, playedMs: 0 },
    ]);
    queue.play(1, new Uint8Array(800));
    expect(queue.take()).toBeNull();
    expect(queue.clear()).toEqual([]);
  });

  it('finishes an utterance without audio at once', () => {
    const { playout: queue, events } = playout();
    queue.open(1);
    queue.finish(1);
    expect(events).toEqual([{ type: 'finished', utterance: 1, playedMs: 0 }]);
  });
});

describe('Playout while paused', () => {
  /** Takes frames until there are no more. */
  function taken(queue: Playout): Uint8Array[] {
    const frames: Uint8Array[] = [];
    for (let frame = queue.take(); frame !== null; frame = queue.take()) frames.push(frame.slice());
    return frames;
  }

  it('keeps every byte until it is resumed', () => {
    const { playout: queue } = playout();
    const audio = Uint8Array.from({ length: 160 * 30 }, (_, i) => (i * 7) % 251);
    queue.open(1);
    queue.play(1, audio.subarray(0, 1_000));
    const before = [queue.take()?.slice() ?? [], queue.take()?.slice() ?? []].map((frame) => Buffer.from(frame));
    queue.pause();
    queue.pause();
    expect([queue.take(), queue.take()]).toEqual([null, null]);
    queue.play(1, audio.subarray(1_000, 3_333));
    expect(queue.take()).toBeNull();
    queue.play(1, audio.subarray(3_333));
    queue.finish(1);
    queue.resume();
    queue.resume();
    expect(Buffer.concat([...before, ...taken(queue)])).toEqual(Buffer.from(audio));
  });

  it('starts and finishes no utterance until it is resumed', () => {
    const { playout: queue, events } = playout();
    queue.open(1);
    queue.play(1, new Uint8Array(160));
    queue.take();
    queue.pause();
    queue.finish(1);
    queue.open(2);
    queue.play(2, new Uint8Array(160));
    queue.take();
    expect(events).toEqual([{ type: 'started', utterance: 1 }]);
    queue.resume();
    expect(events.at(-1)).toEqual({ type: 'finished', utterance: 1, playedMs: 20 });
    queue.take();
    expect(events.at(-1)).toEqual({ type: 'started', utterance: 2 });
  });

  it('returns the duration played before the pause when cleared, and is no longer paused', () => {
    const { playout: queue } = playout();
    queue.open(1);
    queue.play(1, new Uint8Array(800));
    queue.take();
    queue.pause();
    queue.take();
    expect(queue.clear()).toEqual([{ utterance: 1, playedMs: 20 }]);
    queue.open(2);
    queue.play(2, new Uint8Array(160));
    expect(queue.take()).not.toBeNull();
  });

  it('ignores a resume without a pause', () => {
    const { playout: queue, events } = playout();
    queue.resume();
    queue.open(1);
    queue.play(1, new Uint8Array(160));
    queue.resume();
    expect(queue.take()).not.toBeNull();
    expect(events).toHaveLength(1);
  });
});
