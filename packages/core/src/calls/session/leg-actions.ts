import type { ConversationRunner, LegHandler } from '../../conversation/runner/runner.ts';
import type { LegEffect } from '../../conversation/state/effects.ts';
import { toError } from '../../errors.ts';
import type { Logger } from '../../ports/logger.ts';
import type { MediaLeg, TransferOutcome, TransferRequest } from '../../ports/telephony.ts';

const givenUp: TransferOutcome = { type: 'failed', message: 'the transfer was aborted' };
const cannotTransfer: TransferOutcome = { type: 'failed', message: 'the line cannot transfer calls' };

const cannotPressKeys: TransferOutcome = {
  type: 'failed',
  message: 'digits after the answer need a number with a transfer trunk',
};

/** Connects the caller with a third party through the service. Never rejects. */
export interface CallerHandover {
  attempt(request: TransferRequest, caller: MediaLeg): Promise<TransferOutcome>;
}

interface LegActionsOptions {
  readonly leg: MediaLeg;
  /** Set if the service itself can connect callers. */
  readonly handover: CallerHandover | null;
  /** Returns why a destination is refused; null if it is allowed. */
  readonly mayTransferTo: (destination: string) => Promise<string | null>;
  readonly runner: ConversationRunner;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Sends keys and transfers the caller; reports the outcome of a transfer to the conversation in every case. */
export class LegActions implements LegHandler {
  readonly #options: LegActionsOptions;
  readonly #running = new Map<number, AbortController>();

  constructor(options: LegActionsOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', () => this.#letGo(), { once: true });
  }

  handle(effect: LegEffect): void {
    if (effect.type === 'transfer') void this.#transfer(effect);
    else if (effect.type === 'cancel-transfer') this.#running.get(effect.id)?.abort();
    else this.#options.leg.sendDtmf?.(effect.keys, effect.toneMs);
  }

  async #transfer({
    id,
    destination,
    mode,
    keysOnAnswer,
    summary,
  }: Extract<LegEffect, { type: 'transfer' }>): Promise<void> {
    const { runner, signal } = this.#options;
    const given = new AbortController();
    this.#running.set(id, given);
    const outcome = await this.#attempt({ destination, mode, keysOnAnswer, summary, signal: given.signal });
    this.#running.delete(id);
    if (!signal.aborted) runner.dispatch({ type: 'transfer-settled', id, outcome });
  }

  async #attempt(request: Parameters<NonNullable<MediaLeg['transfer']>>[0]): Promise<TransferOutcome> {
    const { leg, handover, logger, mayTransferTo } = this.#options;
    try {
      const refusal = await mayTransferTo(request.destination);
      if (refusal !== null) return { type: 'refused', reason: refusal };
      // A transfer by the network relieves this process of the call. But it cannot ask the destination first or press
      // keys once the destination has answered, and many networks do not support it.
      if (request.keysOnAnswer !== null && handover === null) return cannotPressKeys;
      const isOurs = handover !== null && (request.mode === 'warm' || request.keysOnAnswer !== null);
      const outcome = isOurs ? undefined : await leg.transfer?.(request);
      if (outcome?.type === 'accepted' || request.signal.aborted) return outcome ?? givenUp;
      return (await handover?.attempt(request, leg)) ?? outcome ?? cannotTransfer;
    } catch (thrown) {
      logger.warn({ err: toError(thrown) }, 'a transfer failed');
      return { type: 'failed', message: toError(thrown).message };
    }
  }

  #letGo(): void {
    for (const given of this.#running.values()) given.abort();
  }
}
