import { describe, expect, it } from 'vitest';
import { UnsettledAudio } from '../../src/shared/unsettled-audio.ts';

describe('UnsettledAudio', () => {
  it('keeps the newest audio up to a limit', () => {
    const audio = new UnsettledAudio(500);
    for (let frame = 1; frame <= 10; frame++) audio.add(new Uint8Array(160).fill(frame));
    expect(audio.chunks.map((chunk) => chunk[0])).toEqual([8, 9, 10]);
    audio.clear();
    expect(audio.chunks).toEqual([]);
  });

  it('keeps a copy, because the caller reuses the buffer', () => {
    const audio = new UnsettledAudio(500);
    const frame = new Uint8Array(160);
    for (let heard = 1; heard <= 3; heard++) audio.add(frame.fill(heard));
    expect(audio.chunks.map((chunk) => chunk[0])).toEqual([1, 2, 3]);
  });
});
