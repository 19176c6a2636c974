import { describe, expect, it } from 'vitest';
import { PriceList } from '../../src/costs/price-list.ts';
import type { Price } from '../../src/domain/costs/price.ts';

const host = { provider: 'openai', model: 'mini', ownKey: false };
const price: Price = { provider: 'openai', kind: 'input_tokens', price: 2, per: 'million_tokens' };

function listOf(...prices: Price[]): PriceList {
  return new PriceList({ currency: 'EUR', prices });
}

describe('PriceList', () => {
  it('prefers the price of a model to that of the whole provider', () => {
    const prices = listOf(price, { ...price, model: 'mini', price: 1 });
    expect(prices.unitPrice(host, 'input_tokens')).toBe(1e-6);
    expect(prices.unitPrice({ ...host, model: 'large' }, 'input_tokens')).toBe(2e-6);
    expect(prices.unitPrice({ ...host, model: null }, 'input_tokens')).toBe(2e-6);
  });

  it('converts prices to one token, second or character', () => {
    const prices = listOf(
      { provider: 'deepgram', kind: 'stt_seconds', price: 0.6, per: 'minute' },
      { provider: 'elevenlabs', kind: 'tts_characters', price: 0.05, per: 'thousand_characters' },
    );
    expect(prices.unitPrice({ ...host, provider: 'deepgram' }, 'stt_seconds')).toBeCloseTo(0.01);
    expect(prices.unitPrice({ ...host, provider: 'elevenlabs' }, 'tts_characters')).toBeCloseTo(0.00005);
  });

  it('charges cached tokens like others unless they have their own price', () => {
    expect(listOf(price).unitPrice(host, 'cached_input_tokens')).toBe(2e-6);
    const prices = listOf(price, { ...price, kind: 'cached_input_tokens', price: 0.5 });
    expect(prices.unitPrice(host, 'cached_input_tokens')).toBe(0.5e-6);
  });

  it("charges nothing for an organization's own key without a price for it", () => {
    const own = { ...host, ownKey: true };
    expect(listOf(price).unitPrice(own, 'input_tokens')).toBe(0);
    expect(listOf(price, { ...price, price: 1, own_key: true }).unitPrice(own, 'input_tokens')).toBe(1e-6);
  });

  it('has no price for other providers and kinds, and none without a currency', () => {
    expect(listOf(price).unitPrice({ ...host, provider: 'groq' }, 'input_tokens')).toBeNull();
    expect(listOf(price).unitPrice(host, 'output_tokens')).toBeNull();
    expect(new PriceList({}).unitPrice({ ...host, ownKey: true }, 'input_tokens')).toBeNull();
  });

  it('takes the currency of the price per minute', () => {
    const pricing = { currency: 'USD', perMinute: 0.1 };
    expect(new PriceList({ pricing, prices: [price] }).currency).toBe('USD');
    expect(() => new PriceList({ pricing, currency: 'EUR' })).toThrow(/differs from pricing.currency USD/);
  });

  it.each([
    [{ prices: [price] }, 'currency: is required with prices.'],
    [{ currency: 'euro' }, 'currency: expected an ISO 4217 code, such as EUR.'],
    [{ currency: 'EUR', prices: [{ ...price, per: 'minute' as const }] }, 'prices.0.per: does not fit the kind'],
    [{ currency: 'EUR', prices: [{ ...price, price: -1 }] }, 'prices.0.price: '],
    [{ currency: 'EUR', prices: [price, price] }, 'prices.1: there is another price of openai for input_tokens.'],
    [{ currency: 'EUR', prices: Array<Price>(10_001).fill(price) }, 'prices: expected at most 10000 entries.'],
  ])('refuses invalid options (%#)', (options, message) => {
    expect(() => new PriceList(options)).toThrow(message);
  });
});
