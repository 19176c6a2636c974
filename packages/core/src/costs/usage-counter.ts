import type { CostItem } from '../domain/costs/cost-item.ts';
import { type UsageKind, usageUnits } from '../domain/costs/usage-kind.ts';
import type { Clock } from '../ports/clock.ts';
import { roundCost } from './round-cost.ts';
import type { UsageSource } from './usage-source.ts';

const msPerSecond = 1_000;

/** Usage of one kind at one source. Adding to `amount` allocates nothing, so that it can be done for each frame. */
export class UsageCounter {
  /** Tokens, characters, or milliseconds of a kind that is counted in seconds. */
  amount = 0;
  isEstimate = false;
  readonly source: UsageSource;
  readonly kind: UsageKind;
  readonly #clock: Clock;
  /** Price of one token, character or second. */
  readonly #unitPrice: number | null;
  /** Time of `start`, on the monotonic clock; null while no time is counted. */
  #sinceMs: number | null = null;

  constructor(source: UsageSource, kind: UsageKind, unitPrice: number | null, clock: Clock) {
    this.source = source;
    this.kind = kind;
    this.#unitPrice = unitPrice;
    this.#clock = clock;
  }

  /** Counts the time from now until `stop`. */
  start(): void {
    this.#sinceMs ??= this.#clock.nowMs();
  }

  stop(): void {
    if (this.#sinceMs === null) return;
    this.amount += this.#clock.nowMs() - this.#sinceMs;
    this.#sinceMs = null;
  }

  /** In the unit of the kind. */
  get quantity(): number {
    const running = this.#sinceMs === null ? 0 : this.#clock.nowMs() - this.#sinceMs;
    const amount = this.amount + running;
    return roundCost(this.#isTime ? amount / msPerSecond : amount);
  }

  get price(): number | null {
    return this.#unitPrice === null ? null : roundCost(this.quantity * this.#unitPrice);
  }

  toItem(): CostItem {
    const { provider, model, ownKey } = this.source;
    return {
      provider,
      model,
      kind: this.kind,
      quantity: this.quantity,
      unit: usageUnits[this.kind],
      price: this.price,
      is_estimate: this.isEstimate,
      own_key: ownKey,
    };
  }

  get #isTime(): boolean {
    return usageUnits[this.kind] === 'second';
  }
}
