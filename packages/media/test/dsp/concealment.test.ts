import { tone } from '@va/test-servers/audio';
import { describe, expect, it } from 'vitest';
import { decodeG711, encodeG711, g711Silence } from '../../src/codec/g711.ts';
import { decodeSamples, encodeSamples } from '../../src/codec/leg-samples.ts';
import { ComfortNoise } from '../../src/dsp/comfort-noise.ts';
import { Concealment } from '../../src/dsp/concealment.ts';

function level(pcm: Int16Array): number {
  return Math.sqrt(pcm.reduce((sum, sample) => sum + sample * sample, 0) / pcm.length);
}

/** Returns a periodic signal with a few harmonics, like a voice. */
function voice(ms: number, pitchHz: number): Int16Array {
  const [first, second, third] = [tone(ms, pitchHz, 5_000), tone(ms, 2 * pitchHz, 3_000), tone(ms, 3 * pitchHz, 2_000)];
  return first.map((sample, i) => sample + (second[i] ?? 0) + (third[i] ?? 0));
}

/** Codes the signal with some lost frames; returns the output frame by frame. */
function heardOf(
  pcm: Int16Array,
  lost: readonly number[],
  concealment = new Concealment('pcma'),
): (Int16Array | null)[] {
  return Array.from({ length: pcm.length / 160 }, (_, i) => {
    const codes = encodeG711('pcma', pcm.subarray(i * 160, i * 160 + 160));
    const frame = lost.includes(i) ? concealment.lost() : concealment.received(codes);
    return frame && decodeG711('pcma', frame);
  });
}

function joined(frames: readonly (Int16Array | null)[]): Int16Array {
  return Int16Array.from(frames.flatMap((frame) => [...(frame ?? new Int16Array(160))]));
}

describe('a lost frame', () => {
  it.each([80, 110, 155, 190])('of a voice at %i Hz is concealed with a small error', (pitchHz) => {
    const pcm = voice(200, pitchHz);
    const heard = joined(heardOf(pcm, [5]));
    const [was, is] = [pcm.subarray(800, 880), heard.subarray(800, 880)];
    const error = is.map((sample, i) => sample - (was[i] ?? 0));
    expect(level(error) / level(was)).toBeLessThan(0.35);
  });

  it('causes no click at its start or when the voice returns', () => {
    const pcm = voice(200, 130);
    const steepest = (samples: Int16Array): number =>
      Math.max(...samples.map((sample, i) => Math.abs(sample - (samples[i - 1] ?? sample))));
    const heard = joined(heardOf(pcm, [4, 5]));
    expect(steepest(heard.subarray(600, 1_200))).toBeLessThan(1.5 * steepest(pcm));
  });

  it('is followed by quieter concealment, and by none after 60 ms', () => {
    const heard = heardOf(voice(200, 100), [4, 5, 6, 7]);
    const levels = heard.slice(3, 7).map((frame) => (frame === null ? 0 : level(frame)));
    expect(levels[1]).toBeLessThan((levels[0] ?? 0) * 1.02);
    expect(levels[2]).toBeLessThan((levels[1] ?? 0) * 0.8);
    expect(levels[3]).toBeLessThan((levels[2] ?? 0) * 0.7);
    expect(heard[7]).toBeNull();
    expect(heard[8]).not.toBeNull();
  });

  it.each([80, 110, 155, 190])('is concealed as well at 16 kHz, of a voice at %i Hz', (pitchHz) => {
    const part = (multiple: number, amplitude: number): Int16Array => tone(200, multiple * pitchHz, amplitude, 16_000);
    const [second, third] = [part(2, 3_000), part(3, 2_000)];
    const pcm = part(1, 5_000).map((sample, i) => sample + (second[i] ?? 0) + (third[i] ?? 0));
    const concealment = new Concealment('pcm16');
    for (let i = 0; i < 5; i++) concealment.received(encodeSamples('pcm16', pcm.subarray(i * 320, i * 320 + 320)));
    const heard = decodeSamples('pcm16', concealment.lost() ?? new Uint8Array(0));
    expect(heard.length).toBe(320);
    const was = pcm.subarray(1_600, 1_760);
    const error = heard.subarray(0, 160).map((sample, i) => sample - (was[i] ?? 0));
    expect(level(error) / level(was)).toBeLessThan(0.35);
  });

  it('is silent when there is no earlier audio, or the source has changed', () => {
    const concealment = new Concealment('pcmu');
    expect(concealment.lost()?.every((code) => Math.abs(decodeG711('pcmu', Uint8Array.of(code))[0] ?? 1) < 10)).toBe(
      true,
    );
    concealment.received(new Uint8Array(160).fill(0x10));
    concealment.reset();
    expect(level(decodeG711('pcmu', concealment.lost() ?? new Uint8Array(0)))).toBeLessThan(10);
  });

  it('does not change frames that arrive in order', () => {
    const frame = encodeG711('pcma', tone(20));
    expect(new Concealment('pcma').received(frame)).toBe(frame);
  });
});

describe('comfort noise', () => {
  it.each([40, 60, 70])('has the requested level of -%i dBov', (level_) => {
    const pcm = decodeG711('pcmu', new ComfortNoise('pcmu').frame(Uint8Array.of(level_)));
    expect(20 * Math.log10(level(pcm) / 32_768)).toBeGreaterThan(-level_ - 3);
    expect(20 * Math.log10(level(pcm) / 32_768)).toBeLessThan(-level_ + 3);
  });

  it('is never loud, and silent without a level', () => {
    const noise = new ComfortNoise('pcmu');
    expect(20 * Math.log10(level(decodeG711('pcmu', noise.frame(Uint8Array.of(0)))) / 32_768)).toBeLessThan(-28);
    expect(noise.frame(new Uint8Array(0)).every((code) => (code | 0x80) === g711Silence.pcmu)).toBe(true);
  });
});
