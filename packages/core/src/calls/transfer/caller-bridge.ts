import type { Pricing } from '../../costs/pricing.ts';
import type { Call } from '../../domain/calls/call.ts';
import { toError } from '../../errors.ts';
import type { Logger } from '../../ports/logger.ts';
import type { CreditGuard } from '../limits/credit-guard.ts';
import type { MinutesGuard } from '../limits/minutes-guard.ts';
import type { ConversationSetup } from '../session/conversation-setup.ts';
import type { Bridge } from './bridge.ts';
import { storeBridgedTime } from './bridged-time.ts';
import { askToTakeOver } from './briefing.ts';
import { Handover, type HandoverDependencies } from './handover.ts';

export interface TransferDependencies extends HandoverDependencies {
  /** Ends bridged callers when the organization's minutes are used up. */
  readonly minutes: Pick<MinutesGuard, 'watch'>;
  /** Ends bridged callers when the organization's credit is used up. */
  readonly credit: Pick<CreditGuard, 'watch'>;
  /** Price per minute; null if the host sets none. */
  readonly pricing: Pricing | null;
}

export interface CallerBridgeOptions {
  readonly orgId: string;
  readonly callId: string;
  /** Caller number shown to the destination. */
  readonly callerNumber: string;
  /** Trunk of the call to the destination; null if the service cannot connect the caller. */
  readonly trunkId: string | null;
  readonly hangUpCaller: () => void;
  readonly logger: Logger;
}

/** Connects a caller with the destination of a warm transfer through the service, also after the conversation. */
export class CallerBridge {
  readonly #deps: TransferDependencies;
  readonly #options: CallerBridgeOptions;
  #bridge: Bridge | null = null;

  constructor(deps: TransferDependencies, options: CallerBridgeOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  /** True once a destination has accepted the caller. */
  get isAccepted(): boolean {
    return this.#bridge !== null;
  }

  /**
   * Returns the handover of a conversation; null without a trunk.
   * @param setup from which the conversation with the destination of a warm transfer is made
   */
  handover(setup: ConversationSetup): Handover | null {
    const { trunkId, orgId, callId, callerNumber, hangUpCaller } = this.#options;
    if (trunkId === null) return null;
    return new Handover(this.#deps, {
      orgId,
      callId,
      callerNumber,
      trunkId,
      ask: (leg, request, signal) => askToTakeOver(setup, leg, request, signal),
      hangUpCaller,
      onBridge: (bridge) => {
        this.#bridge = bridge;
      },
    });
  }

  /** Connects the two legs, after the conversation has released the caller. */
  start(): void {
    this.#bridge?.start();
  }

  end(): void {
    this.#bridge?.end();
  }

  /** Resolves when the bridge has ended and its time is stored. Never rejects. */
  async finish(call: Call): Promise<void> {
    const bridge = this.#bridge;
    if (bridge === null) return;
    const { orgId, logger } = this.#options;
    const unwatch = this.#deps.minutes.watch(orgId, {
      end: () => bridge.end(),
      unrecordedMs: () => bridge.lastedMs,
    });
    const unwatchCredit = this.#deps.credit.watch(orgId, {
      cost: () => (bridge.lastedMs / 60_000) * (this.#deps.pricing?.perMinute ?? 0),
      onStatus: ({ level }) => {
        if (level === 'reached') bridge.end();
      },
    });
    await bridge.done;
    try {
      await storeBridgedTime(this.#deps, orgId, call, bridge.lastedMs);
    } catch (thrown) {
      logger.error({ err: toError(thrown) }, 'failed to store the time of a bridged call');
    } finally {
      // Not before: until the time is stored, the balance does not contain it, and other calls would use the same
      // minutes.
      unwatch();
      unwatchCredit();
    }
  }
}
