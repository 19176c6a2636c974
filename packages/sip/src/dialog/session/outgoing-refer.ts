import type { Clock } from '@va/core';
import { TimerSlot } from '@va/media';
import type { SipRequest, SipResponse } from '../../message/message.ts';
import { createResponse } from '../../message/response.ts';
import { parseParams } from '../../message/tokens.ts';
import type { ServerTransaction } from '../../transaction/server-transaction.ts';
import type { Dialog } from '../dialog.ts';
import { contentType } from '../session/dtmf-info.ts';
import { readSipfrag, sipfragType } from './sipfrag.ts';

/** What became of a request to call somebody else. */
export type ReferOutcome =
  /** The far end has reached the target, or has left us for it. Our call can be hung up. */
  | { readonly type: 'accepted' }
  /** The far end does not take REFER or does not want this one, or the target did not answer: with its status. */
  | { readonly type: 'refused'; readonly status: number; readonly reason: string }
  /** Nobody said what came of it. */
  | { readonly type: 'failed'; readonly message: string };

export interface ReferOptions {
  /** Who asks, as a SIP address. @see RFC 3892 */
  readonly referredBy?: string | undefined;
  /** The call at the target that the new one shall take the place of: an attended transfer. @see RFC 3891 */
  readonly replaces?: { readonly dialog: Dialog } | undefined;
  /** How long the far end may take to reach the target; 60 s by default. */
  readonly timeoutMs?: number | undefined;
  /** Stop following it. The far end cannot be told. */
  readonly signal?: AbortSignal | undefined;
}

export const defaultReferTimeoutMs = 60_000;

/**
 * A REFER of ours and the subscription that comes with it, followed to its end.
 * @see RFC 3515 §2.4, RFC 4488 (no subscription), RFC 6665 §4.4.1
 */
export class OutgoingRefer {
  readonly outcome: Promise<ReferOutcome>;
  readonly #deadline: TimerSlot;
  #resolve: (outcome: ReferOutcome) => void = () => {};
  #settled = false;
  #agreed = false;

  constructor(clock: Clock, timeoutMs: number) {
    this.outcome = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#deadline = new TimerSlot(clock);
    this.#deadline.set(timeoutMs, () =>
      this.fail(`The far end has not said within ${timeoutMs} ms what came of the transfer.`),
    );
  }

  get settled(): boolean {
    return this.#settled;
  }

  /** The answer to the REFER itself. */
  onResponse(response: SipResponse): void {
    if (response.status < 200) return;
    if (response.status >= 300) {
      this.#settle({ type: 'refused', status: response.status, reason: response.reason });
      return;
    }
    this.#agreed = true;
    // Without a subscription nothing more is ever told.
    if (response.headers.get('Refer-Sub')?.trim().toLowerCase() === 'false') this.#settle({ type: 'accepted' });
  }

  /** Answers a NOTIFY of the subscription, which may overtake the answer to the REFER. */
  onNotify(transaction: ServerTransaction): void {
    const { request } = transaction;
    const fragment = contentType(request) === sipfragType ? readSipfrag(request.body) : null;
    transaction.respond(createResponse(request, 200));
    if (fragment !== null && fragment.status >= 300) this.#settle({ type: 'refused', ...fragment });
    else if (fragment !== null && fragment.status >= 200) this.#settle({ type: 'accepted' });
    else if (isTerminated(request)) this.fail('The far end has stopped to tell what comes of the transfer.');
  }

  /** The far end has hung up. After it has agreed, that is how many networks say that the transfer is done. */
  onFarEndGone(): void {
    if (this.#agreed) this.#settle({ type: 'accepted' });
    else this.fail('The far end hung up before it had answered to the transfer.');
  }

  fail(message: string): void {
    this.#settle({ type: 'failed', message });
  }

  #settle(outcome: ReferOutcome): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#deadline.clear();
    this.#resolve(outcome);
  }
}

function isTerminated(notify: SipRequest): boolean {
  const [state = ''] = (notify.headers.get('Subscription-State') ?? '').split(';', 1);
  return state.trim().toLowerCase() === 'terminated';
}

/**
 * The event package that a request is about, and the `id` that tells apart subscriptions to it. @see RFC 6665 §8.2.1
 */
export function readEvent(request: SipRequest): { readonly name: string; readonly id: string | null } {
  const text = request.headers.get('Event') ?? '';
  const semicolon = text.indexOf(';');
  const name = (semicolon === -1 ? text : text.slice(0, semicolon)).trim().toLowerCase();
  return { name, id: parseParams(semicolon === -1 ? '' : text.slice(semicolon))?.get('id') ?? null };
}
