import { type Price, priceSchema, unitsPer } from '../domain/costs/price.ts';
import type { UsageKind } from '../domain/costs/usage-kind.ts';
import { VaError } from '../errors.ts';
import type { Pricing } from './pricing.ts';
import type { UsageSource } from './usage-source.ts';

/** Options of the host about prices. */
export interface PriceOptions {
  readonly currency?: string | undefined;
  readonly prices?: readonly Price[] | undefined;
  readonly pricing?: Pricing | undefined;
}

const maxPrices = 10_000;

/** Tokens from a cache cost as much as others if the list has no price for them. */
const substitutes: Readonly<Partial<Record<UsageKind, UsageKind>>> = {
  cached_input_tokens: 'input_tokens',
  cached_input_audio_tokens: 'input_audio_tokens',
};

/** The host's prices, by provider, model, kind and key. */
export class PriceList {
  /** ISO 4217 code; null without any prices. */
  readonly currency: string | null;
  readonly #prices: ReadonlyMap<string, number>;

  /** @throws VaError `invalid_options` */
  constructor({ currency, prices = [], pricing }: PriceOptions) {
    this.currency = currencyOf(currency, pricing, prices.length > 0);
    this.#prices = readPrices(prices);
  }

  /**
   * Returns the price of one token, second or character; null if the list has none. A price of the model takes
   * precedence over one of the whole provider. Usage with an organization's own key costs 0 unless the list has a price
   * for it.
   */
  unitPrice({ provider, model, ownKey }: UsageSource, kind: UsageKind): number | null {
    if (this.currency === null) return null;
    const substitute = substitutes[kind];
    for (const each of substitute === undefined ? [kind] : [kind, substitute]) {
      const price =
        (model === null ? undefined : this.#prices.get(keyOf(provider, model, each, ownKey))) ??
        this.#prices.get(keyOf(provider, null, each, ownKey));
      if (price !== undefined) return price;
    }
    return ownKey ? 0 : null;
  }
}

function keyOf(provider: string, model: string | null, kind: UsageKind, ownKey: boolean): string {
  return JSON.stringify([provider, model, kind, ownKey]);
}

function readPrices(prices: readonly Price[]): Map<string, number> {
  if (prices.length > maxPrices) {
    throw new VaError('invalid_options', `prices: expected at most ${maxPrices} entries.`);
  }
  const read = new Map<string, number>();
  for (const [index, written] of prices.entries()) {
    const parsed = priceSchema.safeParse(written);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const path = ['prices', index, ...(issue?.path ?? [])].join('.');
      throw new VaError('invalid_options', `${path}: ${issue?.message ?? 'is invalid'}`);
    }
    const { provider, model = null, kind, price, per, own_key } = parsed.data;
    const key = keyOf(provider, model, kind, own_key);
    if (read.has(key)) {
      throw new VaError('invalid_options', `prices.${index}: there is another price of ${provider} for ${kind}.`);
    }
    read.set(key, price / unitsPer(per));
  }
  return read;
}

function currencyOf(currency: string | undefined, pricing: Pricing | undefined, hasPrices: boolean): string | null {
  if (currency !== undefined && pricing !== undefined && currency !== pricing.currency) {
    throw new VaError('invalid_options', `currency: ${currency} differs from pricing.currency ${pricing.currency}.`);
  }
  const one = currency ?? pricing?.currency ?? null;
  if (one === null && hasPrices) throw new VaError('invalid_options', 'currency: is required with prices.');
  if (currency !== undefined && !/^[A-Z]{3}$/.test(currency)) {
    throw new VaError('invalid_options', 'currency: expected an ISO 4217 code, such as EUR.');
  }
  return one;
}
