import type { CostItem } from '../domain/costs/cost-item.ts';
import { type UsageKind, usageUnits } from '../domain/costs/usage-kind.ts';
import type { Clock } from '../ports/clock.ts';
import type { ModelUsage } from '../ports/providers/model-usage.ts';
import { totalCost } from './cost-breakdown.ts';
import type { PriceList } from './price-list.ts';
import { quantitiesOf } from './token-usage.ts';
import { UsageCounter } from './usage-counter.ts';
import type { UsageSource } from './usage-source.ts';

/** An agent has at most four providers of a kind; more counters mean a provider that invents models. */
const maxCounters = 200;
const maxModelLength = 200;
const msPerSecond = 1_000;

/** Adds up the usage of one call, or of one analysis. Its total never decreases. */
export class UsageMeter {
  readonly #prices: Pick<PriceList, 'unitPrice'>;
  readonly #clock: Clock;
  readonly #counters = new Map<string, UsageCounter>();
  #onAdded: () => void = () => {};

  constructor(prices: Pick<PriceList, 'unitPrice'>, clock: Clock) {
    this.#prices = prices;
    this.#clock = clock;
  }

  /** Sets the listener called after each `add` and `addModelUsage`; not when a counter changes by itself. */
  onAdded(listener: () => void): void {
    this.#onAdded = listener;
  }

  /** Returns the counter of a kind of usage, for usage that comes in many small parts. */
  counter(source: UsageSource, kind: UsageKind): UsageCounter {
    const model = source.model?.slice(0, maxModelLength) ?? null;
    const key = JSON.stringify([source.provider, model, kind, source.ownKey]);
    const known = this.#counters.get(key);
    if (known !== undefined) return known;
    const bounded = { ...source, model };
    const counter = new UsageCounter(bounded, kind, this.#prices.unitPrice(bounded, kind), this.#clock);
    if (this.#counters.size < maxCounters) this.#counters.set(key, counter);
    return counter;
  }

  /** @param quantity in the unit of the kind */
  add(source: UsageSource, kind: UsageKind, quantity: number): void {
    this.#count(source, kind, quantity, false);
    this.#onAdded();
  }

  /** Adds what a model used; `isEstimate` if its provider did not report it. */
  addModelUsage(source: UsageSource, usage: ModelUsage, isEstimate = false): void {
    const billed = usage.model === undefined ? source : { ...source, model: usage.model };
    for (const [kind, quantity] of quantitiesOf(usage)) this.#count(billed, kind, quantity, isEstimate);
    this.#onAdded();
  }

  /** Sum of the prices so far; 0 if nothing has a price. */
  get total(): number {
    return totalCost(this.#counters.values()) ?? 0;
  }

  items(): CostItem[] {
    return [...this.#counters.values()].filter(({ quantity }) => quantity > 0).map((counter) => counter.toItem());
  }

  #count(source: UsageSource, kind: UsageKind, quantity: number, isEstimate: boolean): void {
    if (quantity === 0) return;
    const counter = this.counter(source, kind);
    counter.amount += usageUnits[kind] === 'second' ? quantity * msPerSecond : quantity;
    counter.isEstimate ||= isEstimate;
  }
}
