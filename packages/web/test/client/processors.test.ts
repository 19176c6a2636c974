import { decodeG711, decodeSamples, encodeG711, encodeSamples } from '@va/media';
import { toneLevel } from '@va/test-servers/audio';
import { describe, expect, it } from 'vitest';
import {
  defineProcessors,
  type EncodingInput,
  type PlayerInput,
  type PlayerOutput,
  type ProcessorPort,
  type RecorderOutput,
} from '../../src/client/audio/processors.ts';

interface Processor {
  readonly port: ProcessorPort;
  process(inputs: Float32Array[][], outputs: Float32Array[][]): boolean;
}

/** Runs a processor without a browser, from its source text as a worklet does. */
function processor(name: string, sampleRate: number): { of: Processor; posted: (RecorderOutput | PlayerOutput)[] } {
  const posted: (RecorderOutput | PlayerOutput)[] = [];
  class AudioWorkletProcessor {
    readonly port: ProcessorPort = { onmessage: null, postMessage: (message) => posted.push(message) };
  }
  const made = new Map<string, new () => unknown>();
  defineProcessors({ AudioWorkletProcessor, registerProcessor: (each, type) => made.set(each, type), sampleRate });
  const Type = made.get(name);
  if (Type === undefined) throw new Error(`there is no ${name}`);
  return { of: new Type() as Processor, posted };
}

function tone(hz: number, sampleRate: number, forMs: number): Float32Array {
  const length = (sampleRate * forMs) / 1_000;
  return Float32Array.from({ length }, (_, at) => 0.5 * Math.sin((2 * Math.PI * hz * at) / sampleRate));
}

function record(sound: Float32Array, sampleRate: number, encoding?: 'pcm16'): Uint8Array {
  const { of, posted } = processor('va-recorder', sampleRate);
  if (encoding !== undefined) send(of, { encoding });
  for (let at = 0; at + 128 <= sound.length; at += 128) of.process([[sound.subarray(at, at + 128)]], []);
  return Buffer.concat((posted as RecorderOutput[]).map(({ frame }) => frame));
}

function levelOf(pcm: Int16Array): number {
  return Math.sqrt(pcm.reduce((sum, each) => sum + each * each, 0) / pcm.length) / 32_768;
}

function send(of: Processor, input: PlayerInput | EncodingInput): void {
  of.port.onmessage?.({ data: input });
}

/** Plays for a time, and returns what the loudspeaker gets. */
function play(of: Processor, forMs: number, sampleRate = 48_000): Float32Array {
  const sound: number[] = [];
  while (sound.length < (sampleRate * forMs) / 1_000) {
    const channel = new Float32Array(128);
    of.process([], [[channel]]);
    sound.push(...channel);
  }
  return Float32Array.from(sound);
}

const loud = encodeG711(
  'pcmu',
  Int16Array.from(tone(500, 8_000, 20), (each) => each * 32_767),
);
const silent = new Uint8Array(160).fill(0xff);
const peak = (sound: Float32Array): number => Math.max(...sound.map(Math.abs));

describe('recorder', () => {
  it.each([44_100, 48_000, 16_000, 8_000])('resamples speech of %d Hz to 8 kHz at its level', (sampleRate) => {
    const pcm = decodeG711('pcmu', record(tone(1_000, sampleRate, 1_000), sampleRate));
    expect(pcm.length).toBeGreaterThan(7_600);
    expect(levelOf(pcm.subarray(800))).toBeCloseTo(0.354, 1);
  });

  it('removes what 8 kHz cannot represent', () => {
    const pcm = decodeG711('pcmu', record(tone(6_000, 48_000, 1_000), 48_000));
    expect(levelOf(pcm.subarray(800))).toBeLessThan(0.004);
  });

  it.each([44_100, 48_000, 16_000])('keeps up to 6.5 kHz of %d Hz in a wideband call', (sampleRate) => {
    for (const hz of [300, 3_000, 6_500]) {
      const bytes = record(tone(hz, sampleRate, 1_000), sampleRate, 'pcm16');
      expect(bytes.length % 640).toBe(0);
      expect(bytes.length).toBeGreaterThan(640 * 47);
      const pcm = decodeSamples('pcm16', bytes).subarray(1_600, 14_400);
      expect(toneLevel(pcm, hz, 16_000) / 32_768).toBeCloseTo(0.5, 1);
    }
  });

  it('limits what is too loud instead of wrapping around', () => {
    const bytes = record(
      tone(500, 48_000, 200).map((each) => each * 4),
      48_000,
      'pcm16',
    );
    const pcm = decodeSamples('pcm16', bytes).subarray(800);
    expect(pcm.every((each, i) => i === 0 || Math.abs(each - (pcm[i - 1] ?? 0)) < 20_000)).toBe(true);
  });
});

describe('player', () => {
  it('begins with 60 ms of audio, and plays it at its level', () => {
    const { of } = processor('va-player', 48_000);
    send(of, { sequence: 0, frame: loud });
    send(of, { sequence: 1, frame: loud });
    expect(peak(play(of, 40))).toBe(0);
    for (let sequence = 2; sequence < 20; sequence++) send(of, { sequence, frame: loud });
    expect(peak(play(of, 200))).toBeCloseTo(0.5, 1);
  });

  it('plays the whole band of a wideband call', () => {
    const { of } = processor('va-player', 48_000);
    send(of, { encoding: 'pcm16' });
    const samples = Int16Array.from(tone(6_000, 16_000, 600), (each) => each * 32_767);
    for (let n = 0; n < 30; n++) {
      send(of, { sequence: n, frame: encodeSamples('pcm16', samples.subarray(n * 320, n * 320 + 320)) });
    }
    const sound = Int16Array.from(play(of, 500).subarray(9_600, 19_200), (each) => each * 32_767);
    expect(toneLevel(sound, 6_000, 48_000) / 32_767).toBeCloseTo(0.5, 1);
  });

  it('leaves out silence of a wideband call when its buffer is full', () => {
    const { of, posted } = processor('va-player', 48_000);
    send(of, { encoding: 'pcm16' });
    for (let sequence = 0; sequence < 60; sequence++) send(of, { sequence, frame: new Uint8Array(640) });
    play(of, 600);
    expect((posted as PlayerOutput[]).at(-1)?.played).toBeGreaterThan(50);
  });

  it('reports what it has played every 200 ms', () => {
    const { of, posted } = processor('va-player', 48_000);
    for (let sequence = 0; sequence < 50; sequence++) send(of, { sequence, frame: loud });
    play(of, 1_010);
    const reports = (posted as PlayerOutput[]).map(({ played }) => played);
    expect(reports).toEqual([10, 20, 30, 40, 50]);
  });

  it('drops cleared frames, and late ones with earlier sequence numbers', () => {
    const { of, posted } = processor('va-player', 48_000);
    for (let sequence = 0; sequence < 20; sequence++) send(of, { sequence, frame: loud });
    play(of, 100);
    send(of, { clear: 20 });
    send(of, { sequence: 12, frame: loud });
    expect(posted.at(-1)).toMatchObject({ played: 20 });
    play(of, 20);
    expect(peak(play(of, 300))).toBeLessThan(0.01);
  });

  it('collects more audio after its buffer ran empty, up to 200 ms', () => {
    const { of } = processor('va-player', 48_000);
    let sequence = 0;
    for (let burst = 0; burst < 12; burst++) {
      for (let n = 0; n < 12; n++) send(of, { sequence: sequence++, frame: loud });
      play(of, 400);
    }
    for (let n = 0; n < 9; n++) send(of, { sequence: sequence++, frame: loud });
    play(of, 40);
    expect(peak(play(of, 200))).toBeLessThan(0.01);
    send(of, { sequence: sequence++, frame: loud });
    expect(peak(play(of, 100))).toBeCloseTo(0.5, 1);
  });

  it('leaves out silence when a burst has filled its buffer', () => {
    const { of, posted } = processor('va-player', 48_000);
    for (let sequence = 0; sequence < 40; sequence++) send(of, { sequence, frame: silent });
    for (let sequence = 40; sequence < 60; sequence++) send(of, { sequence, frame: loud });
    const sound = play(of, 600);
    expect((posted as PlayerOutput[]).at(-1)?.played).toBe(60);
    expect(peak(sound)).toBeCloseTo(0.5, 1);
  });
});
