import { timestamp } from '../clock/timestamp.ts';
import { type TrunkFacts, unknownTrunkFacts } from '../domain/numbers/trunk-health.ts';
import type { Clock } from '../ports/clock.ts';
import type { LegEnd, OutgoingCall, Telephony } from '../ports/telephony.ts';

/** Trunks whose calls are remembered, the least recently used are forgotten. */
const maxTrunks = 1_000;
const maxReasonLength = 200;

type CallFacts = Pick<TrunkFacts, 'last_answer_at' | 'last_failure'>;

/** State of trunks as this process knows it: outcomes of calls, and checks of its telephony adapters. */
export class TrunkBook {
  readonly #clock: Clock;
  readonly #telephony: readonly Pick<Telephony, 'trunkSigns'>[];
  readonly #calls = new Map<string, CallFacts>();

  constructor(clock: Clock, telephony: readonly Pick<Telephony, 'trunkSigns'>[]) {
    this.#clock = clock;
    this.#telephony = telephony;
  }

  /** Returns a placed call that tells the book of its answer, or of the failure of the trunk. */
  watch(trunkId: string, call: OutgoingCall): OutgoingCall {
    call.whenAnswered().then(
      () => this.#note(trunkId, { last_answer_at: timestamp(this.#clock) }),
      () => {},
    );
    return {
      id: call.id,
      whenAnswered: () => call.whenAnswered(),
      hangup: () => call.hangup(),
      onEnd: (listener) =>
        call.onEnd((end) => {
          this.#ended(trunkId, end);
          listener(end);
        }),
    };
  }

  /** Notes a call that could not even be begun. */
  failed(trunkId: string, reason: string): void {
    const failure = { at: timestamp(this.#clock), reason: reason.slice(0, maxReasonLength) };
    this.#note(trunkId, { last_failure: failure });
  }

  /** Returns the facts of all trunks of which something is known. */
  facts(): ReadonlyMap<string, TrunkFacts> {
    const facts = new Map<string, TrunkFacts>();
    for (const [id, calls] of this.#calls) facts.set(id, { ...unknownTrunkFacts, ...calls });
    for (const { trunkSigns } of this.#telephony) {
      for (const [id, signs] of trunkSigns ?? []) {
        facts.set(id, { ...unknownTrunkFacts, ...facts.get(id), ...signs });
      }
    }
    return new Map([...facts].slice(-maxTrunks));
  }

  #ended(trunkId: string, end: LegEnd): void {
    const isOfTrunk = end.cause === 'transport-error' || (end.cause === 'not-answered' && end.why === 'failed');
    if (isOfTrunk) this.failed(trunkId, end.message);
  }

  #note(trunkId: string, changes: Partial<CallFacts>): void {
    const before = this.#calls.get(trunkId) ?? { last_answer_at: null, last_failure: null };
    this.#calls.delete(trunkId);
    this.#calls.set(trunkId, { ...before, ...changes });
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > maxTrunks && oldest !== undefined) this.#calls.delete(oldest);
  }
}
