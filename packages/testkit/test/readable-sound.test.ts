import { readSound, soundOf } from '@va/testkit';
import { describe, expect, it } from 'vitest';

describe('readable sound', () => {
  it('lasts as long as its letters, and decodes to them', () => {
    const sound = soundOf('Hello, all 7!', { msPerLetter: 50 });
    expect(sound.length).toBe(13 * 50 * 8);
    expect(readSound(sound, 50)).toEqual({ text: 'Hello, all 7!', voice: 0 });
  });

  it('includes a letter of which at least half is present', () => {
    const sound = soundOf('abc', { msPerLetter: 50 });
    expect(readSound(sound.subarray(0, 125 * 8), 50).text).toBe('abc');
    expect(readSound(sound.subarray(0, 124 * 8), 50).text).toBe('ab');
  });

  it('distinguishes a second voice', () => {
    expect(readSound(soundOf('Yes~', { msPerLetter: 20, voice: 1 }), 20)).toEqual({ text: 'Yes~', voice: 1 });
  });

  it('never equals silence', () => {
    const letters = String.fromCharCode(...Array.from({ length: 300 }, (_, code) => code));
    for (const voice of [0, 1] as const) expect(soundOf(letters, { msPerLetter: 1, voice })).not.toContain(0xff);
  });
});
