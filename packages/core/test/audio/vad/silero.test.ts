import { readFileSync } from 'node:fs';
import { loadSileroVad, type VadStream, vadWindowSamples } from '@va/core';
import { describe, expect, it } from 'vitest';
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
  it('gives the probabilities that onnxruntime gives for the published model', () => {
    expect(oracle).toHaveLength(375);
    expect(Math.max(...oracle)).toBeGreaterThan(0.9);
    expect(largestDifference(probabilities(loadSileroVad().createStream()), oracle)).toBeLessThan(1e-4);
  });

  it('keeps the streams of a process apart', () => {
    const [ours, other] = [loadSileroVad().createStream(), loadSileroVad().createStream()];
    const heard = oracle.map((_, window) => {
      const at = window * vadWindowSamples;
      other.probability(signal.subarray(signal.length - at - vadWindowSamples, signal.length - at));
      return ours.probability(signal.subarray(at, at + vadWindowSamples));
    });
    expect(largestDifference(heard, oracle)).toBeLessThan(1e-4);
  });

  it('hears a stream anew after a reset', () => {
    const stream = loadSileroVad().createStream();
    const first = probabilities(stream);
    stream.reset();
    expect(probabilities(stream)).toEqual(first);
  });

  it('refuses a window of another length', () => {
    const stream = loadSileroVad().createStream();
    expect(() => stream.probability(new Int16Array(160))).toThrow(RangeError);
  });

  it('allocates nothing per window', () => {
    const stream = loadSileroVad().createStream();
    const windows = oracle.map((_, window) =>
      signal.subarray(window * vadWindowSamples, (window + 1) * vadWindowSamples),
    );
    const hear = () => {
      for (let pass = 0; pass < 20; pass++) for (const window of windows) stream.probability(window);
    };
    hear();
    const before = process.memoryUsage().heapUsed;
    hear();
    const perWindow = (process.memoryUsage().heapUsed - before) / (20 * windows.length);
    // A returned double takes 16 bytes at most; a view or an array would take a hundred.
    expect(perWindow).toBeLessThan(64);
  });
});
