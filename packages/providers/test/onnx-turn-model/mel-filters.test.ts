import { describe, expect, it } from 'vitest';
import { createMelFilters } from '../../src/onnx-turn-model/mel-filters.ts';

const filters = createMelFilters(80, 400, 16_000);

function weight(band: number, bin: number): number {
  const filter = filters[band];
  return filter?.weights[bin - filter.from] ?? 0;
}

describe('the mel filters', () => {
  it('have the weights of an independent computation (numpy), which are those of Whisper', () => {
    expect([0, 1, 2, 3].map((bin) => weight(0, bin))).toEqual([0, expect.closeTo(0.02486259398417609, 12), 0, 0]);
    const last = [0.002243795137945361, 0.0017950361103562847, 0.0013462770827672086, 0.0008975180551781322];
    expect([195, 196, 197, 198].map((bin) => weight(79, bin))).toEqual(last.map((value) => expect.closeTo(value, 12)));
    expect(weight(79, 200)).toBeCloseTo(0, 12);
    expect(Math.max(...(filters[40]?.weights ?? []))).toBeCloseTo(0.014735565741439168, 12);
  });

  it('have no negative weight, and stay within the spectrum', () => {
    expect(filters).toHaveLength(80);
    for (const { from, weights } of filters) {
      expect(from).toBeGreaterThanOrEqual(0);
      expect(from + weights.length).toBeLessThanOrEqual(201);
      expect(Math.min(...weights)).toBeGreaterThanOrEqual(0);
    }
  });

  it('have an area of about one, where they span several bins', () => {
    for (const { weights } of filters.slice(60)) {
      expect(weights.reduce((sum, each) => sum + each, 0) * 40).toBeCloseTo(1, 1);
    }
  });
});
