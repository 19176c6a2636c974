import { describe, expect, it } from 'vitest';
import type { AudioFormat } from '../../src/codec/audio-format.ts';
import { decodeG711, encodeG711 } from '../../src/codec/g711.ts';
import { chooseFormat, fromLeg, toLeg } from '../../src/codec/transcoder.ts';

const pcmu: AudioFormat = { encoding: 'pcmu', sampleRateHz: 8_000 };
const pcma: AudioFormat = { encoding: 'pcma', sampleRateHz: 8_000 };
const pcm8: AudioFormat = { encoding: 'pcm16', sampleRateHz: 8_000 };
const pcm16: AudioFormat = { encoding: 'pcm16', sampleRateHz: 16_000 };
const pcm24: AudioFormat = { encoding: 'pcm16', sampleRateHz: 24_000 };
const pcm22: AudioFormat = { encoding: 'pcm16', sampleRateHz: 22_050 };

describe('chooseFormat', () => {
  it('chooses the cheapest conversion', () => {
    expect(chooseFormat([pcm24, pcm8, pcma, pcmu], pcmu)).toBe(pcmu);
    expect(chooseFormat([pcm24, pcm8, pcma], pcmu)).toBe(pcma);
    expect(chooseFormat([pcm24, pcm16, pcm8], pcmu)).toBe(pcm8);
    expect(chooseFormat([pcm24, pcm16, pcm22], pcmu)).toBe(pcm16);
  });

  it('keeps the bandwidth of a leg of 16 kHz if a provider does', () => {
    expect(chooseFormat([pcmu, pcm8, pcm24, pcm16], pcm16)).toBe(pcm16);
    expect(chooseFormat([pcmu, pcm8, pcm24], pcm16)).toBe(pcm24);
    expect(chooseFormat([pcmu, pcma, pcm8], pcm16)).toBe(pcm8);
    expect(chooseFormat([pcm22, pcmu], pcm16)).toBe(pcmu);
  });

  it('names the offered formats when none is convertible', () => {
    expect(() => chooseFormat([pcm22], pcmu)).toThrow('pcm16/22050');
    expect(() => chooseFormat([], pcmu)).toThrow('cannot be converted');
  });
});

describe('a provider that uses the encoding of the leg', () => {
  it('exchanges bytes without conversion', () => {
    const codes = Uint8Array.from({ length: 160 }, (_, i) => i);
    expect(fromLeg('pcmu', pcmu)(codes)).toBe(codes);
    expect(toLeg(pcmu, 'pcmu')(codes)).toBe(codes);
  });
});

describe('a provider for a leg of 16 kHz', () => {
  const frame = Uint8Array.from({ length: 640 }, (_, i) => i & 0xff);

  it('exchanges samples without conversion', () => {
    expect(fromLeg('pcm16', pcm16)(frame)).toBe(frame);
    expect(toLeg(pcm16, 'pcm16')(frame)).toBe(frame);
  });

  it('gets chunks that end within a sample joined', () => {
    const convert = toLeg(pcm16, 'pcm16');
    const chunks = [frame.subarray(0, 3), frame.subarray(3, 4), frame.subarray(4, 101), frame.subarray(101)];
    const heard = chunks.map((chunk) => convert(chunk));
    expect(heard.every(({ length }) => length % 2 === 0)).toBe(true);
    expect(heard.flatMap((chunk) => [...chunk])).toEqual([...frame]);
  });

  it.each([pcm8, pcmu, pcma])('with 8 kHz is converted once in each direction: $encoding', (format) => {
    const bytesPerSample = format.encoding === 'pcm16' ? 2 : 1;
    expect(fromLeg('pcm16', format)(frame)).toHaveLength(160 * bytesPerSample);
    expect(toLeg(format, 'pcm16')(new Uint8Array(160 * bytesPerSample))).toHaveLength(640);
  });

  it('with 24 kHz is converted once in each direction', () => {
    expect(fromLeg('pcm16', pcm24)(frame)).toHaveLength(960);
    expect(toLeg(pcm24, 'pcm16')(new Uint8Array(960))).toHaveLength(640);
  });
});

describe('a synthesizer with 16-bit samples', () => {
  const tone = (rate: number, seconds: number): Int16Array =>
    Int16Array.from({ length: rate * seconds }, (_, i) =>
      Math.round(10_000 * Math.sin((2 * Math.PI * 440 * i) / rate)),
    );
  const bytes = (samples: Int16Array): Uint8Array =>
    new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);

  it.each([8_000, 16_000, 24_000])('at %i Hz keeps pitch and level on the leg, for chunks of any length', (rate) => {
    const encode = toLeg({ encoding: 'pcm16', sampleRateHz: rate }, 'pcmu');
    const audio = bytes(tone(rate, 1));
    const codes: number[] = [];
    // An odd length splits a sample.
    for (let at = 0; at < audio.length; at += 777) codes.push(...encode(audio.subarray(at, at + 777)));
    const heard = decodeG711('pcmu', Uint8Array.from(codes)).subarray(400, 7_600);
    expect(Math.abs(codes.length - 8_000)).toBeLessThan(40);
    const rms = Math.sqrt(heard.reduce((sum, sample) => sum + sample * sample, 0) / heard.length);
    expect(rms).toBeGreaterThan(6_700);
    expect(rms).toBeLessThan(7_400);
    const crossings = heard.filter((sample, i) => i > 0 && sample >= 0 && (heard[i - 1] ?? 0) < 0).length;
    expect(Math.abs(crossings - 440 * 0.9)).toBeLessThanOrEqual(2);
  });

  it('does not alias frequencies above the telephone band', () => {
    const high = Int16Array.from({ length: 16_000 }, (_, i) =>
      Math.round(10_000 * Math.sin((2 * Math.PI * 6_000 * i) / 16_000)),
    );
    const heard = decodeG711('pcmu', toLeg(pcm16, 'pcmu')(bytes(high))).subarray(400);
    expect(Math.max(...heard.map(Math.abs))).toBeLessThan(300);
  });
});

describe('a recognizer with another format', () => {
  it('receives A-law, or samples at its rate', () => {
    const samples = Int16Array.from({ length: 160 }, (_, i) => Math.round(8_000 * Math.sin(i / 5)));
    const codes = encodeG711('pcmu', samples);
    expect(fromLeg('pcmu', pcma)(codes)).toEqual(encodeG711('pcma', decodeG711('pcmu', codes)));
    expect(fromLeg('pcmu', pcm8)(codes)).toHaveLength(320);
    expect(fromLeg('pcmu', pcm16)(codes)).toHaveLength(640);
  });
});
