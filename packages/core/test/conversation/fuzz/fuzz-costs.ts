import { BudgetWatch } from '../../../src/calls/limits/budget-watch.ts';
import type { ConversationRunner } from '../../../src/conversation/runner/runner.ts';
import { PriceList } from '../../../src/costs/price-list.ts';
import { roundCost } from '../../../src/costs/round-cost.ts';
import { UsageMeter } from '../../../src/costs/usage-meter.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { BrokenInvariant } from './invariants.ts';

const prices = new PriceList({
  currency: 'EUR',
  prices: [
    { provider: 'fuzz', kind: 'input_tokens', price: 1, per: 'token' },
    { provider: 'fuzz', kind: 'output_tokens', price: 1, per: 'token' },
    { provider: 'fuzz', kind: 'tts_characters', price: 1, per: 'character' },
    { provider: 'scripted', kind: 'stt_seconds', price: 1, per: 'second' },
  ],
});

/** The cost of one random conversation, and its budget. */
export class FuzzCosts {
  readonly meter: UsageMeter;
  readonly #clock: Clock;
  #lastTotal = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.meter = new UsageMeter(prices, clock);
  }

  /** Watches a budget; returns a function that stops it. */
  limit(maxCost: number, runner: ConversationRunner): () => void {
    const watch = new BudgetWatch({
      budget: { max_cost: maxCost, warn_at: 0.8 },
      cost: () => this.meter.total,
      onStatus: (status) => runner.dispatch({ type: 'budget', ...status }),
      clock: this.#clock,
    });
    this.meter.onAdded(() => watch.check());
    return () => watch.stop();
  }

  /** @throws BrokenInvariant */
  check(): void {
    const { total } = this.meter;
    if (total < this.#lastTotal) throw new BrokenInvariant('the cost of a call never decreases');
    this.#lastTotal = total;
    const sum = roundCost(this.meter.items().reduce((all, { price }) => all + (price ?? 0), 0));
    if (sum !== total) throw new BrokenInvariant(`the breakdown adds up to ${sum}, and the call cost ${total}`);
  }
}
