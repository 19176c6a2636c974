import { decodeG711, encodeG711, encodeSamples } from '@va/media';
import { describe, expect, it } from 'vitest';
import { RecentAudio } from '../../../src/calls/turn-model/recent-audio.ts';

/** Frame n: 160 times the same sample, another one for each frame. */
function frame(n: number): Uint8Array {
  return encodeG711('pcmu', new Int16Array(160).fill((n + 1) * 100));
}

function levels(samples: Int16Array): number[] {
  return Array.from({ length: samples.length / 160 }, (_, i) => Math.round((samples[i * 160] ?? 0) / 100) - 1);
}

describe('the recent audio of a caller', () => {
  it('returns the samples of the last milliseconds in order', () => {
    const audio = new RecentAudio('pcmu', 100);
    for (let n = 0; n < 4; n++) audio.push(frame(n));
    expect(levels(audio.last(40))).toEqual([2, 3]);
    expect(audio.last(20)).toEqual(decodeG711('pcmu', frame(3)));
  });

  it('returns as many samples as there are', () => {
    const audio = new RecentAudio('pcmu', 100);
    expect(audio.last(100)).toHaveLength(0);
    audio.push(frame(0));
    expect(levels(audio.last(100))).toEqual([0]);
    expect(audio.last(-20)).toHaveLength(0);
  });

  it('keeps no more than its duration, across the border of its ring', () => {
    const audio = new RecentAudio('pcmu', 100);
    for (let n = 0; n < 8; n++) {
      audio.push(frame(n));
      const first = Math.max(0, n - 4);
      expect(levels(audio.last(1_000))).toEqual(Array.from({ length: n - first + 1 }, (_, i) => first + i));
    }
  });

  it('takes frames of other lengths', () => {
    const audio = new RecentAudio('pcma', 30);
    const samples = Int16Array.from({ length: 400 }, (_, i) => i * 50);
    const codes = encodeG711('pcma', samples);
    for (let at = 0; at < 400; at += 50) audio.push(codes.subarray(at, at + 50));
    expect(audio.last(30)).toEqual(decodeG711('pcma', codes).slice(-240));
  });

  it('has 16 kHz for a leg of that rate', () => {
    const audio = new RecentAudio('pcm16', 50);
    const samples = Int16Array.from({ length: 5 * 320 }, (_, i) => i * 7 - 5_000);
    const bytes = encodeSamples('pcm16', samples);
    for (let at = 0; at < bytes.length; at += 640) audio.push(bytes.subarray(at, at + 640));
    expect(audio.last(30)).toEqual(samples.slice(-480));
    expect(audio.last(1_000)).toEqual(samples.slice(-800));
  });
});
