import { type CarrierAccess, type Clock, type RandomBytes, systemRandom } from '@va/core/adapter';
import { type Fields, textOf } from '../shared/web/fields.ts';
import { reportOf } from './failures.ts';

/** Time until a transfer counts as failed although Telnyx has reported nothing: longer than it lets a phone ring. */
const bridgeMs = 40_000;

/** A transfer whose destination Telnyx is calling. */
export interface PendingBridge {
  readonly access: CarrierAccess<'telnyx'>;
  /** State that Telnyx repeats in every event of the destination's leg: base64. */
  readonly clientState: string;
  /** `call_control_id` of the destination's leg; null until it is known. */
  readonly otherLeg: string | null;
  /** Resolves to null once both are connected, or to the reason why they are not. */
  readonly outcome: Promise<string | null>;
  /** Stops waiting; the outcome is then the reason. */
  giveUp(reason: string): void;
}

/**
 * Transfers that wait for `call.bridged`: the command is answered before the destination is called, and the caller
 * stays on the line if it does not answer.
 *
 * @see https://developers.telnyx.com/api-reference/call-commands/transfer-call
 */
export class Bridges {
  readonly #random: RandomBytes;
  readonly #pending = new Set<Bridge>();

  constructor(random: RandomBytes = systemRandom) {
    this.#random = random;
  }

  /** Expects the events of a transfer. To be called before its command, which they may overtake. */
  expect(callId: string, access: CarrierAccess<'telnyx'>, clock: Clock): PendingBridge {
    const clientState = Buffer.from(this.#random(16)).toString('base64');
    const bridge = new Bridge({ callId, access, clientState, clock });
    this.#pending.add(bridge);
    void bridge.outcome.then(() => this.#pending.delete(bridge));
    return bridge;
  }

  /** Returns the transfer that an event belongs to; null for other events. The event MUST be authenticated. */
  of(payload: Fields): Bridge | null {
    return [...this.#pending].find((bridge) => bridge.owns(payload)) ?? null;
  }
}

interface BridgeOptions extends Pick<PendingBridge, 'access' | 'clientState'> {
  readonly callId: string;
  readonly clock: Clock;
}

class Bridge implements PendingBridge {
  readonly access: PendingBridge['access'];
  readonly clientState: string;
  readonly outcome: Promise<string | null>;
  otherLeg: string | null = null;
  readonly #callId: string;
  #settle: (refusal: string | null) => void = () => {};

  constructor({ callId, access, clientState, clock }: BridgeOptions) {
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

  owns(payload: Fields): boolean {
    return this.isOfOther(payload) || textOf(payload.call_control_id) === this.#callId;
  }

  /** True for an event of the destination's leg. */
  isOfOther(payload: Fields): boolean {
    return payload.client_state === this.clientState;
  }

  giveUp(reason: string): void {
    this.#settle(reason);
  }

  /** Takes an authenticated event of either leg. */
  receive(type: string, payload: Fields): void {
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
