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
});
