import { describe, expect, it } from 'vitest';
import { UnsettledAudio } from '../../src/shared/unsettled-audio.ts';

describe('audio without a final transcript', () => {
  it('is kept up to a bound, the newest of it', () => {
    const audio = new UnsettledAudio(500);
    for (let frame = 1; frame <= 10; frame++) audio.add(new Uint8Array(160).fill(frame));
    expect(audio.chunks.map((chunk) => chunk[0])).toEqual([8, 9, 10]);
    audio.clear();
    expect(audio.chunks).toEqual([]);
  });

  it('is what was heard, though its bytes are used again', () => {
    const audio = new UnsettledAudio(500);
    const frame = new Uint8Array(160);
    for (let heard = 1; heard <= 3; heard++) audio.add(frame.fill(heard));
    expect(audio.chunks.map((chunk) => chunk[0])).toEqual([1, 2, 3]);
  });
});
