import type { Clock } from '@va/core/adapter';
import { TimerSlot } from '@va/media';
import type { SipRequest, SipResponse } from '../../message/message.ts';
import { createResponse } from '../../message/response.ts';
import { parseParams } from '../../message/tokens.ts';
import type { ServerTransaction } from '../../transaction/server-transaction.ts';
import type { Dialog } from '../dialog.ts';
import { contentType } from '../session/dtmf-info.ts';
import { readSipfrag, sipfragType } from './sipfrag.ts';

/** Outcome of a transfer request. */
export type ReferOutcome =
  /** The peer has reached the target, or has hung up to connect to it. The local call can be hung up. */
  | { readonly type: 'accepted' }
  /** The peer does not support REFER or rejected it, or the target did not answer; with the status. */
  | { readonly type: 'refused'; readonly status: number; readonly reason: string }
  /** No outcome was reported. */
  | { readonly type: 'failed'; readonly message: string };

/** Options of a transfer request. */
export interface ReferOptions {
  /** The referring party, as a SIP address. @see RFC 3892 */
  readonly referredBy?: string | undefined;
  /** The call at the target that the new one is to replace: an attended transfer. @see RFC 3891 */
  readonly replaces?: { readonly dialog: Dialog } | undefined;
  /** Time limit for the peer to reach the target. Default: 60 s. */
  readonly timeoutMs?: number | undefined;
  /** Stops waiting for the outcome. The transfer itself cannot be stopped. */
  readonly signal?: AbortSignal | undefined;
}

export const defaultReferTimeoutMs = 60_000;

/**
 * A sent REFER, whose outcome is determined from its response and the NOTIFYs of its implicit subscription.
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
      this.fail(`The peer did not report the outcome of the transfer within ${timeoutMs} ms.`),
    );
  }

  get settled(): boolean {
    return this.#settled;
  }

  /** Handles the response to the REFER itself. */
  onResponse(response: SipResponse): void {
    if (response.status < 200) return;
    if (response.status >= 300) {
      this.#settle({ type: 'refused', status: response.status, reason: response.reason });
      return;
    }
    this.#agreed = true;
    // Without a subscription the outcome is never reported.
    if (response.headers.get('Refer-Sub')?.trim().toLowerCase() === 'false') this.#settle({ type: 'accepted' });
  }

  /** Answers a NOTIFY of the subscription, which may arrive before the response to the REFER. */
  onNotify(transaction: ServerTransaction): void {
    const { request } = transaction;
    const fragment = contentType(request) === sipfragType ? readSipfrag(request.body) : null;
    transaction.respond(createResponse(request, 200));
    if (fragment !== null && fragment.status >= 300) this.#settle({ type: 'refused', ...fragment });
    else if (fragment !== null && fragment.status >= 200) this.#settle({ type: 'accepted' });
    else if (isTerminated(request))
      this.fail('The peer ended the subscription without reporting the outcome of the transfer.');
  }

  /** Handles a hang-up of the peer. After it accepted the transfer, this is how many networks report success. */
  onPeerHangup(): void {
    if (this.#agreed) this.#settle({ type: 'accepted' });
    else this.fail('The peer hung up before it responded to the transfer.');
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

/** Reads the event package of a request and the `id` that distinguishes subscriptions to it. @see RFC 6665 §8.2.1 */
export function readEvent(request: SipRequest): { readonly name: string; readonly id: string | null } {
  const text = request.headers.get('Event') ?? '';
  const semicolon = text.indexOf(';');
  const name = (semicolon === -1 ? text : text.slice(0, semicolon)).trim().toLowerCase();
  return { name, id: parseParams(semicolon === -1 ? '' : text.slice(semicolon))?.get('id') ?? null };
}
