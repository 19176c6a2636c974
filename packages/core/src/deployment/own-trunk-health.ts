import { timestamp } from '../clock/timestamp.ts';
import { type NodeTrunkHealth, unknownTrunkHealth } from '../domain/numbers/trunk-health.ts';
import type { Clock } from '../ports/clock.ts';
import type { LegEnd, OutgoingCall, Telephony } from '../ports/telephony.ts';

/** Maximum number of trunks whose calls are remembered; the least recently used ones are forgotten. */
const maxTrunks = 1_000;
const maxReasonLength = 200;

type CallOutcomes = Pick<NodeTrunkHealth, 'last_answer_at' | 'last_failure'>;

/** Health of trunks as this process knows it: the outcomes of calls, and the probes of its telephony adapters. */
export class OwnTrunkHealth {
  readonly #clock: Clock;
  readonly #telephony: readonly Pick<Telephony, 'trunkHealth'>[];
  readonly #calls = new Map<string, CallOutcomes>();

  constructor(clock: Clock, telephony: readonly Pick<Telephony, 'trunkHealth'>[]) {
    this.#clock = clock;
    this.#telephony = telephony;
  }

  /** Wraps a call, so that its answer, or the failure of the trunk, is remembered. */
  watch(trunkId: string, call: OutgoingCall): OutgoingCall {
    call.whenAnswered().then(
      () => this.#remember(trunkId, { last_answer_at: timestamp(this.#clock) }),
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

  /** Remembers a call that could not be placed. */
  failed(trunkId: string, reason: string): void {
    const failure = { at: timestamp(this.#clock), reason: reason.slice(0, maxReasonLength) };
    this.#remember(trunkId, { last_failure: failure });
  }

  /** Returns the health of each trunk that has had a call or a probe. */
  byTrunk(): ReadonlyMap<string, NodeTrunkHealth> {
    const health = new Map<string, NodeTrunkHealth>();
    for (const [id, calls] of this.#calls) health.set(id, { ...unknownTrunkHealth, ...calls });
    for (const { trunkHealth } of this.#telephony) {
      for (const [id, probed] of trunkHealth ?? []) {
        health.set(id, { ...unknownTrunkHealth, ...health.get(id), ...probed });
      }
    }
    return new Map([...health].slice(-maxTrunks));
  }

  #ended(trunkId: string, end: LegEnd): void {
    const isOfTrunk = end.cause === 'transport-error' || (end.cause === 'not-answered' && end.why === 'failed');
    if (isOfTrunk) this.failed(trunkId, end.message);
  }

  #remember(trunkId: string, changes: Partial<CallOutcomes>): void {
    const before = this.#calls.get(trunkId) ?? { last_answer_at: null, last_failure: null };
    this.#calls.delete(trunkId);
    this.#calls.set(trunkId, { ...before, ...changes });
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > maxTrunks && oldest !== undefined) this.#calls.delete(oldest);
  }
}
