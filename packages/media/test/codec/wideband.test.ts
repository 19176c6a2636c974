import { purity, tone, toneLevel } from '@va/test-servers/audio';
import { describe, expect, it } from 'vitest';
import type { CodecName } from '../../src/codec/audio-codec.ts';
import { createDecoder, createEncoder } from '../../src/codec/create-codec.ts';
import { NarrowDecoder } from '../../src/codec/frame.ts';
import { encodingOf, type LegEncoding, legAudio } from '../../src/codec/leg-encoding.ts';
import { decodeSamples, encodeSamples } from '../../src/codec/leg-samples.ts';
import { loadOpus } from '../../src/codec/opus-codec.ts';

const opus = await loadOpus();
if (opus === null) console.warn('Opus is not tested: @discordjs/opus is not installed (npm run natives).');
const wideCodecs: readonly CodecName[] = ['g722', ...(opus === null ? [] : (['opus'] as const))];

/** Sends a tone of a second from one leg to the other in frames of 20 ms; returns all but the first quarter. */
function heard(wire: CodecName, from: LegEncoding, to: LegEncoding, hertz: number, frameParts = 1): Int16Array {
  const encoder = createEncoder(wire, from, opus);
  const decoder = createDecoder(wire, to, opus);
  if (encoder === null || decoder === null) throw new Error(`the codec ${wire} is not available`);
  const { frameBytes, sampleRateHz } = legAudio[from];
  const audio = encodeSamples(from, tone(1_000, hertz, 8_000, sampleRateHz));
  const samples: number[] = [];
  const part = frameBytes / frameParts;
  for (let at = 0; at < audio.length; at += part) {
    const payload = encoder.encode(audio.subarray(at, at + part));
    samples.push(...decodeSamples(to, decoder.decode(payload.slice()) ?? new Uint8Array(0)));
  }
  expect(samples.length).toBe(legAudio[to].sampleRateHz);
  return Int16Array.from(samples.slice(samples.length / 4));
}

describe.each(wideCodecs)('%s on a leg of 16 kHz', (wire) => {
  it('keeps a tone of 6 kHz', () => {
    expect(toneLevel(heard(wire, 'pcm16', 'pcm16', 6_000), 6_000, 16_000)).toBeGreaterThan(6_000);
  });

  it('loses a tone of 6 kHz when the receiving leg has 8 kHz, without an alias', () => {
    const narrow = heard(wire, 'pcm16', 'pcmu', 6_000);
    expect(Math.max(...narrow.map(Math.abs))).toBeLessThan(500);
  });

  it('takes frames of 10 ms', () => {
    expect(purity(heard(wire, 'pcm16', 'pcm16', 1_000, 2), 1_000, 16_000)).toBeGreaterThan(0.97);
  });
});

it.each(['pcmu', 'pcma'] as const)('%s on a leg of 16 kHz is resampled in both directions', (wire) => {
  expect(purity(heard(wire, 'pcm16', 'pcm16', 1_000), 1_000, 16_000)).toBeGreaterThan(0.97);
  expect(purity(heard(wire, 'pcm16', wire, 1_000), 1_000)).toBeGreaterThan(0.97);
  expect(purity(heard(wire, wire, 'pcm16', 1_000), 1_000, 16_000)).toBeGreaterThan(0.97);
});

describe('a leg of 16 kHz', () => {
  it('has linear samples, also at odd addresses', () => {
    const samples = Int16Array.of(0, 1, -1, 32_767, -32_768, 258);
    const bytes = encodeSamples('pcm16', samples);
    expect([...bytes]).toEqual([...new Uint8Array(samples.buffer)]);
    const shifted = new Uint8Array(bytes.length + 1);
    shifted.set(bytes, 1);
    expect(decodeSamples('pcm16', shifted.subarray(1))).toEqual(samples);
  });

  it('is the only one with linear samples', () => {
    expect(encodingOf({ encoding: 'pcm16', sampleRateHz: 16_000 })).toBe('pcm16');
    expect(() => encodingOf({ encoding: 'pcm16', sampleRateHz: 8_000 })).toThrow('pcm16 at 8000 Hz');
    expect(() => encodingOf({ encoding: 'pcmu', sampleRateHz: 16_000 })).toThrow('pcmu at 16000 Hz');
  });
});

describe('a decoder for detectors', () => {
  it('halves the rate of a leg of 16 kHz, without an alias', () => {
    const decoded = (hertz: number): Int16Array => {
      const decoder = new NarrowDecoder('pcm16');
      const audio = encodeSamples('pcm16', tone(200, hertz, 8_000, 16_000));
      const frames = Array.from({ length: 10 }, (_, i) => [...decoder.decode(audio.subarray(i * 640, i * 640 + 640))]);
      expect(frames.every((frame) => frame.length === 160)).toBe(true);
      return Int16Array.from(frames.flat().slice(160));
    };
    expect(toneLevel(decoded(1_000), 1_000)).toBeGreaterThan(7_600);
    expect(Math.max(...decoded(6_000).map(Math.abs))).toBeLessThan(200);
  });

  it('returns G.711 as it is', () => {
    const audio = encodeSamples('pcma', tone(20, 500));
    expect(new NarrowDecoder('pcma').decode(audio)).toEqual(decodeSamples('pcma', audio));
  });
});
