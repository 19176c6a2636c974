import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadSileroVad, type VadStream, vadWindowSamples } from '../../src/vad/silero.ts';
import { measuredAlone } from '../support/heap-growth.ts';
import { vadTestSignal } from './signal.ts';

const oracle = JSON.parse(readFileSync(new URL('./oracle.json', import.meta.url), 'utf8')) as number[];
const signal = vadTestSignal();

function probabilities(stream: VadStream): number[] {
  return oracle.map((_, window) =>
    stream.probability(signal.subarray(window * vadWindowSamples, (window + 1) * vadWindowSamples)),
  );
}

function largestDifference(left: readonly number[], right: readonly number[]): number {
  return Math.max(...left.map((value, i) => Math.abs(value - (right[i] ?? Number.NaN))));
}

describe('Silero VAD', () => {
  it('matches the probabilities of onnxruntime for the published model to within the rounding of its weights', () => {
    expect(oracle).toHaveLength(375);
    expect(Math.max(...oracle)).toBeGreaterThan(0.9);
    const heard = probabilities(loadSileroVad().createStream());
    expect(largestDifference(heard, oracle)).toBeLessThan(0.01);
    const sum = heard.reduce((total, probability, i) => total + Math.abs(probability - (oracle[i] ?? Number.NaN)), 0);
    expect(sum / heard.length).toBeLessThan(0.001);
  });

  it('keeps streams of the same process separate', () => {
    const [ours, other] = [loadSileroVad().createStream(), loadSileroVad().createStream()];
    const heard = oracle.map((_, window) => {
      const at = window * vadWindowSamples;
      other.probability(signal.subarray(signal.length - at - vadWindowSamples, signal.length - at));
      return ours.probability(signal.subarray(at, at + vadWindowSamples));
    });
    expect(heard).toEqual(probabilities(loadSileroVad().createStream()));
  });

  it('gives the same results for a batch of streams as for single streams', () => {
    const model = loadSileroVad();
    for (const count of [1, 2, 7, 8, 9, 16, 19]) {
      const [alone, together] = [0, 1].map(() => Array.from({ length: count }, () => model.createStream()));
      const heard = new Float64Array(count);
      for (let turn = 0; turn < 12; turn++) {
        const windows = Array.from({ length: count }, (_, stream) => {
          const at = ((turn + stream * 17) % oracle.length) * vadWindowSamples;
          return signal.subarray(at, at + vadWindowSamples);
        });
        model.judge(together ?? [], windows, heard);
        const expected = alone?.map((stream, i) => stream.probability(windows[i] ?? new Int16Array()));
        expect([...heard]).toEqual(expected);
      }
    }
  });

  it('refuses streams of other detectors', () => {
    const stranger = { probability: () => 0, forget() {}, reset() {} };
    const judging = () => loadSileroVad().judge([stranger], [new Int16Array(256)], new Float64Array(1));
    expect(judging).toThrow(TypeError);
  });

  it('treats a stream as new after a reset', () => {
    const stream = loadSileroVad().createStream();
    const first = probabilities(stream);
    stream.reset();
    expect(probabilities(stream)).toEqual(first);
  });

  it('is almost in its initial state after forgetting for long enough, except for the end of the last window', () => {
    const [forgetful, fresh] = [loadSileroVad().createStream(), loadSileroVad().createStream()];
    const lastWindow = signal.subarray(0, vadWindowSamples);
    probabilities(forgetful);
    forgetful.probability(lastWindow);
    for (let window = 0; window < 4_000; window++) forgetful.forget();
    const unlike = Math.abs(forgetful.probability(lastWindow) - fresh.probability(lastWindow));
    expect(unlike).toBeLessThan(0.02);
  });

  it('refuses a window of another length', () => {
    const stream = loadSileroVad().createStream();
    expect(() => stream.probability(new Int16Array(160))).toThrow(RangeError);
  });

  it('allocates neither views nor arrays per window', async () => {
    // A returned double takes 16 bytes at most, a view of an array 96.
    expect(await measuredAlone('silero.ts')).toBeLessThan(64);
  });
});
