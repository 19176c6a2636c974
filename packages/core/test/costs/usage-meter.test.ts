import { VirtualClock } from '@va/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeItems, totalCost } from '../../src/costs/cost-breakdown.ts';
import { PriceList } from '../../src/costs/price-list.ts';
import { UsageMeter } from '../../src/costs/usage-meter.ts';
import type { UsageSource } from '../../src/costs/usage-source.ts';

const source: UsageSource = { provider: 'openai', model: 'mini', ownKey: false };
const prices = new PriceList({
  currency: 'EUR',
  prices: [
    { provider: 'openai', kind: 'input_tokens', price: 3, per: 'million_tokens' },
    { provider: 'openai', kind: 'output_tokens', price: 7, per: 'million_tokens' },
    { provider: 'openai', kind: 'session_seconds', price: 0.6, per: 'minute' },
  ],
});
const meter = (): UsageMeter => new UsageMeter(prices, new VirtualClock());

function quantities(of: UsageMeter): Record<string, number> {
  return Object.fromEntries(of.items().map(({ kind, quantity }) => [kind, quantity]));
}

describe('UsageMeter', () => {
  it('counts no token in two kinds', () => {
    const usage = meter();
    usage.addModelUsage(source, {
      inputTokens: 100,
      cachedInputTokens: 60,
      inputAudioTokens: 80,
      cachedInputAudioTokens: 50,
      outputTokens: 20,
      outputAudioTokens: 15,
    });
    expect(quantities(usage)).toEqual({
      input_tokens: 10,
      cached_input_tokens: 10,
      input_audio_tokens: 30,
      cached_input_audio_tokens: 50,
      output_tokens: 5,
      output_audio_tokens: 15,
    });
  });

  it('ignores counts that are impossible', () => {
    const usage = meter();
    usage.addModelUsage(source, { inputTokens: Number.NaN, outputTokens: -5 });
    usage.addModelUsage(source, { inputTokens: 1e12, outputTokens: Number.POSITIVE_INFINITY });
    usage.addModelUsage(source, { inputTokens: 5, cachedInputTokens: 9, outputTokens: 0 });
    expect(quantities(usage)).toEqual({ cached_input_tokens: 5 });
  });

  it('bounds the number and the length of the models that a provider reports', () => {
    const usage = meter();
    for (let n = 0; n < 1_000; n += 1) {
      usage.addModelUsage(source, { inputTokens: 1, outputTokens: 1, model: `${n}${'x'.repeat(500)}` });
    }
    expect(usage.items()).toHaveLength(200);
    expect(usage.items().every(({ model }) => model?.length === 200)).toBe(true);
  });

  it('counts the time of a session while it is open', async () => {
    const clock = new VirtualClock();
    const usage = new UsageMeter(prices, clock);
    const opening = usage.counter(source, 'session_seconds');
    opening.start();
    await clock.advance(30_000);
    expect([quantities(usage), usage.total]).toEqual([{ session_seconds: 30 }, 0.3]);
    opening.stop();
    await clock.advance(30_000);
    expect(quantities(usage)).toEqual({ session_seconds: 30 });
  });

  it('has a total that equals the sum of its items and never decreases, for any usage', () => {
    const count = fc.integer({ min: -5, max: 100_000 });
    const usage = fc.record({ inputTokens: count, cachedInputTokens: count, outputTokens: count });
    fc.assert(
      fc.property(fc.array(usage, { maxLength: 30 }), (requests) => {
        const counted = meter();
        let before = 0;
        for (const request of requests) {
          counted.addModelUsage(source, request);
          expect(counted.total).toBeGreaterThanOrEqual(before);
          expect(counted.total).toBe(totalCost(counted.items()) ?? 0);
          before = counted.total;
        }
      }),
      { seed: 4_711 },
    );
  });
});

describe('mergeItems', () => {
  it('adds up items of the same provider, model, kind and key', () => {
    const one = meter();
    one.addModelUsage(source, { inputTokens: 10, outputTokens: 0 });
    const other = meter();
    other.addModelUsage(source, { inputTokens: 5, outputTokens: 0 }, true);
    const own = meter();
    own.addModelUsage({ ...source, ownKey: true }, { inputTokens: 1, outputTokens: 0 });
    const merged = mergeItems([...one.items(), ...other.items(), ...own.items()]);
    expect(merged).toMatchObject([
      { quantity: 15, price: 0.000045, is_estimate: true, own_key: false },
      { quantity: 1, price: 0, is_estimate: false, own_key: true },
    ]);
  });
});
