import type { SipMessage, SipRequest, SipResponse } from '../../message/message.ts';
import { allows, supports } from '../supported.ts';
import type { Renegotiation } from './renegotiation.ts';
import type { SessionContext } from './session-context.ts';
import {
  agreeOnInterval,
  formatSessionExpires,
  intervalHeaders,
  readMinSe,
  readSessionExpires,
  type SessionInterval,
} from './session-expires.ts';
import { SessionTimer } from './session-timer.ts';

interface SessionRefreshOptions {
  readonly renegotiation: Renegotiation;
  /** The peer's INVITE or 2xx, which shows what it supports. */
  readonly peer: SipMessage;
  /** The peer no longer responds. */
  onDead(message: string): void;
}

/** Refreshes a session and detects that its peer is gone. @see RFC 4028 */
export class SessionRefresh {
  readonly #options: SessionRefreshOptions;
  readonly #leastSeconds: number;
  readonly #timer: SessionTimer;
  #updates: boolean;

  constructor(context: SessionContext, options: SessionRefreshOptions) {
    this.#options = options;
    this.#leastSeconds = context.minSessionSeconds;
    this.#updates = allows(options.peer, 'UPDATE') === true;
    this.#timer = new SessionTimer(context.clock, {
      onRefreshDue: () => void this.#refresh(),
      onExpired: () => options.onDead('The peer did not refresh the session in time.'),
    });
  }

  /** Accepts the interval that a request of the peer asks for, and returns the fields of the 2xx. */
  onRequest(request: SipRequest): [string, string][] {
    const current = this.#timer.current;
    let interval: SessionInterval | null = agreeOnInterval(request, this.#leastSeconds);
    // A request without session timer fields does not end the local duty to refresh.
    if (interval === null && current?.ours && supports(request, 'timer')) {
      interval = { seconds: current.seconds, refresher: 'uas' };
    }
    if (interval === null) this.stop();
    else this.#timer.run(interval.seconds, interval.refresher === 'uas');
    return intervalHeaders(interval);
  }

  /** Applies the session timer fields of the peer's 2xx to a local request. */
  onResponse(response: SipResponse): void {
    const agreed = readSessionExpires(response);
    const current = this.#timer.current;
    if (agreed !== null) this.#timer.run(agreed.seconds, agreed.refresher !== 'uas');
    else if (current?.ours) this.#timer.run(current.seconds, true);
    else this.stop();
  }

  /** Returns the session timer fields of a local request; the refreshing side stays the same. */
  headers(): [string, string][] {
    const supported: [string, string] = ['Supported', 'timer'];
    const current = this.#timer.current;
    if (current === null) return [supported];
    const text = formatSessionExpires({ seconds: current.seconds, refresher: current.ours ? 'uac' : 'uas' });
    return [supported, ['Session-Expires', text], ['Min-SE', String(this.#leastSeconds)]];
  }

  onTooBrief(response: SipResponse): void {
    const { ours = true, seconds = 0 } = this.#timer.current ?? {};
    this.#timer.run(Math.max(seconds, readMinSe(response) ?? seconds), ours);
  }

  stop(): void {
    this.#timer.stop();
  }

  async #refresh(): Promise<void> {
    const { renegotiation } = this.#options;
    const method = this.#updates ? 'UPDATE' : 'INVITE';
    const outcome = await renegotiation.start(method, false);
    if (outcome.type === 'gone') this.#options.onDead(outcome.message);
    else if (outcome.type === 'refused' && method === 'UPDATE' && this.#timer.current !== null) {
      // Some peers announce UPDATE but do not support it. If a re-INVITE is rejected too, the session ends when it
      // expires.
      this.#updates = false;
      await this.#refresh();
    }
  }
}
