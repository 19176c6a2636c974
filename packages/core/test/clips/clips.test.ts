import { toWav } from '@va/test-servers/audio';
import { describe, expect, it } from 'vitest';
import wavefile from 'wavefile';
import { Clips } from '../../src/clips/clips.ts';

/** Returns a WAV file of a 400 Hz tone in every channel. */
function toneFile(options: { channels: number; rateHz: number; bits: string; seconds: number }): Uint8Array {
  const { channels, rateHz, bits, seconds } = options;
  const tone = Array.from({ length: Math.round(rateHz * seconds) }, (_, at) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * 400 * at) / rateHz)),
  );
  const wav = new wavefile.WaveFile();
  wav.fromScratch(channels, rateHz, '16', channels === 1 ? tone : Array.from({ length: channels }, () => tone));
  if (bits !== '16') wav.toBitDepth(bits);
  return wav.toBuffer();
}

function rms(samples: Int16Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}

function zeroCrossings(samples: Int16Array): number {
  return samples.reduce((sum, sample, at) => sum + (at > 0 && sample < 0 !== (samples[at - 1] ?? 0) < 0 ? 1 : 0), 0);
}

describe('clips', () => {
  it.each([
    { channels: 1, rateHz: 8_000, bits: '16', seconds: 1 },
    { channels: 2, rateHz: 44_100, bits: '24', seconds: 1 },
    { channels: 2, rateHz: 48_000, bits: '32f', seconds: 1 },
    { channels: 1, rateHz: 16_000, bits: '8', seconds: 1 },
  ])('are decoded to 8 kHz: $channels channels, $rateHz Hz, $bits bits', (format) => {
    const samples = new Clips({ tone: toneFile(format) }).find('tone', 8_000) ?? new Int16Array(0);
    expect(samples.length).toBe(8_000);
    expect(samples.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(Math.abs(rms(samples) / (8_000 / Math.SQRT2) - 1)).toBeLessThan(0.05);
    expect(Math.abs(zeroCrossings(samples) - 800)).toBeLessThanOrEqual(4);
  });

  it('are decoded to 16 kHz for wideband calls', () => {
    const clips = new Clips({ tone: toneFile({ channels: 2, rateHz: 44_100, bits: '16', seconds: 1 }) });
    const samples = clips.find('tone', 16_000) ?? new Int16Array(0);
    expect(samples.length).toBe(16_000);
    expect(samples.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(Math.abs(rms(samples) / (8_000 / Math.SQRT2) - 1)).toBeLessThan(0.05);
    expect(Math.abs(zeroCrossings(samples) - 800)).toBeLessThanOrEqual(4);
  });

  it('end in a whole frame, filled with silence', () => {
    const clips = new Clips({ tone: toneFile({ channels: 1, rateHz: 8_000, bits: '16', seconds: 0.03 }) });
    const samples = clips.find('tone', 8_000);
    expect(samples?.length).toBe(320);
    expect(samples?.slice(240).every((sample) => sample === 0)).toBe(true);
  });

  it('are found by name only', () => {
    const clips = new Clips({ tone: toneFile({ channels: 1, rateHz: 8_000, bits: '16', seconds: 0.1 }) });
    expect([clips.has('tone'), clips.has('other'), clips.find('other', 8_000)]).toEqual([true, false, null]);
  });

  it.each([
    [
      'a file that is not WAV',
      { tone: new TextEncoder().encode('ID3 something else, long enough for a header.......') },
    ],
    ['a truncated file', { tone: new Uint8Array([0x52, 0x49, 0x46, 0x46]) }],
    ['an empty one', { tone: toneFile({ channels: 1, rateHz: 8_000, bits: '16', seconds: 0 }) }],
    ['one of more than ten minutes', { tone: toWav(new Int16Array(601 * 8_000)) }],
    ['a bad name', { 'a b': toneFile({ channels: 1, rateHz: 8_000, bits: '16', seconds: 0.1 }) }],
  ])('refuse %s', (_, files) => {
    expect(() => new Clips(files)).toThrow(expect.objectContaining({ code: 'invalid_options' }));
  });
});
