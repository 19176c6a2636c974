import { type CarrierAccess, type Clock, type RandomBytes, systemRandom } from '@va/core/adapter';
import { type JsonFields, textOf } from '../shared/web/fields.ts';
import { reportOf } from './failures.ts';

/** Timeout of a transfer for which Telnyx reports nothing; longer than the ring timeout of the destination. */
const bridgeMs = 40_000;

/** A transfer whose destination is being called. */
export interface PendingBridge {
  readonly access: CarrierAccess<'telnyx'>;
  /** Client state in base64, which Telnyx repeats in every event of the destination's leg. */
  readonly clientState: string;
  /** `call_control_id` of the destination's leg; null until it is known. */
  readonly otherLeg: string | null;
  /** Resolves to null once caller and destination are connected, or to the reason of the failure. */
  readonly outcome: Promise<string | null>;
  /** Stops waiting. The outcome resolves to the reason. */
  giveUp(reason: string): void;
}

/**
 * Transfers that wait for `call.bridged`. The command returns before the destination is called, and the caller stays
 * connected if it does not answer.
 *
 * @see https://developers.telnyx.com/api-reference/call-commands/transfer-call
 */
export class Bridges {
  readonly #random: RandomBytes;
  readonly #pending = new Set<BridgeWait>();

  constructor(random: RandomBytes = systemRandom) {
    this.#random = random;
  }

  /** Registers a transfer. Must be called before its command is sent, because events may arrive before the response. */
  expect(callId: string, access: CarrierAccess<'telnyx'>, clock: Clock): PendingBridge {
    const clientState = Buffer.from(this.#random(16)).toString('base64');
    const bridge = new BridgeWait({ callId, access, clientState, clock });
    this.#pending.add(bridge);
    void bridge.outcome.then(() => this.#pending.delete(bridge));
    return bridge;
  }

  /**
   * Returns the transfer of an event; null for any other event. The event MUST be authenticated before it is handled.
   */
  of(payload: JsonFields): BridgeWait | null {
    return [...this.#pending].find((bridge) => bridge.owns(payload)) ?? null;
  }
}

interface BridgeWaitOptions extends Pick<PendingBridge, 'access' | 'clientState'> {
  readonly callId: string;
  readonly clock: Clock;
}

class BridgeWait implements PendingBridge {
  readonly access: PendingBridge['access'];
  readonly clientState: string;
  readonly outcome: Promise<string | null>;
  otherLeg: string | null = null;
  readonly #callId: string;
  #settle: (refusal: string | null) => void = () => {};

  constructor({ callId, access, clientState, clock }: BridgeWaitOptions) {
    this.#callId = callId;
    this.access = access;
    this.clientState = clientState;
    this.outcome = new Promise((resolve) => {
      const timer = clock.setTimer(bridgeMs, () => resolve('The destination was not connected in time.'));
      this.#settle = (refusal) => {
        timer.cancel();
        resolve(refusal);
      };
    });
  }

  owns(payload: JsonFields): boolean {
    return this.isOfOther(payload) || textOf(payload.call_control_id) === this.#callId;
  }

  /** Returns true for an event of the destination's leg. */
  isOfOther(payload: JsonFields): boolean {
    return payload.client_state === this.clientState;
  }

  giveUp(reason: string): void {
    this.#settle(reason);
  }

  /** Handles an authenticated event of either leg. */
  receive(type: string, payload: JsonFields): void {
    if (type === 'call.bridged') this.#settle(null);
    else if (!this.isOfOther(payload)) {
      if (type === 'call.hangup') this.#settle('The caller has hung up.');
    } else {
      this.otherLeg = textOf(payload.call_control_id) ?? this.otherLeg;
      const report = reportOf(type, payload);
      if (report?.type !== 'ended') return;
      this.#settle(report.failure === null ? 'The destination has hung up.' : report.message);
    }
  }
}
