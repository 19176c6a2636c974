import { TimerSlot } from '@va/media';
import type { Envelope } from '../../message/envelope.ts';
import { noBody, type SipRequest, type SipResponse } from '../../message/message.ts';
import { allowedMethods } from '../capabilities.ts';
import { contactFor } from '../contact.ts';
import type { DialogSender } from '../dialog-sender.ts';
import type { SessionContext } from './session-context.ts';
import { type SessionMedia, sdpType } from './session-media.ts';

/** `gone`: the peer no longer knows the call, or it has ended locally. */
type RenegotiationOutcome =
  | { readonly type: 'agreed' }
  | { readonly type: 'refused'; readonly status: number }
  | { readonly type: 'gone'; readonly message: string };

interface RenegotiationHost {
  readonly media: SessionMedia;
  /** True if the local side made the call: when two requests collide, its retry waits longer. @see RFC 3261 §14.1 */
  readonly caller: boolean;
  /** Returns true if an offer/answer exchange that the peer began is pending. */
  busy(): boolean;
  /** Session timer fields of a request. @see RFC 4028 §7.4 */
  timerHeaders(): [string, string][];
  onRefreshed(response: SipResponse): void;
  /** Handles a 422, which requires a longer session interval. */
  onTooBrief(response: SipResponse): void;
  /** Called when the peer's 2xx contains an answer that does not fit the local offer. */
  onMismatch(): void;
}

interface PendingRenegotiation {
  readonly method: 'INVITE' | 'UPDATE';
  readonly offers: boolean;
  readonly resolve: (outcome: RenegotiationOutcome) => void;
  attempts: number;
}

const maxAttempts = 6;

/**
 * Sends re-INVITEs and UPDATEs one after the other, and repeats those that collided with one of the peer.
 * @see RFC 3261 §14.1, RFC 3311 §5.1
 */
export class Renegotiation {
  readonly #context: SessionContext;
  readonly #sender: DialogSender;
  readonly #host: RenegotiationHost;
  readonly #retry: TimerSlot;
  readonly #jobs: PendingRenegotiation[] = [];
  #sent = false;
  #stopped = false;

  constructor(context: SessionContext, sender: DialogSender, host: RenegotiationHost) {
    this.#context = context;
    this.#sender = sender;
    this.#host = host;
    this.#retry = new TimerSlot(context.clock);
  }

  /** True if a local request is pending: a re-INVITE or an offer of the peer is then rejected with 491. */
  get pending(): boolean {
    return this.#sent;
  }

  /** @param offers whether to send an offer; an INVITE always contains one */
  start(method: 'INVITE' | 'UPDATE', offers: boolean): Promise<RenegotiationOutcome> {
    return new Promise((resolve) => {
      this.#jobs.push({ method, offers: offers || method === 'INVITE', resolve, attempts: 0 });
      if (this.#jobs.length === 1) this.#next();
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#retry.clear();
    for (const job of this.#jobs.splice(0)) job.resolve({ type: 'gone', message: 'The call is over.' });
  }

  #next(): void {
    const [job] = this.#jobs;
    if (job === undefined || this.#stopped) return;
    if (this.#host.busy()) this.#later(job, 503);
    else this.#send(job);
  }

  #send(job: PendingRenegotiation): void {
    job.attempts += 1;
    this.#sent = true;
    const { flow } = this.#sender;
    const headers: [string, string][] = [['Allow', allowedMethods], ...this.#host.timerHeaders()];
    if (flow !== null) headers.push(['Contact', contactFor(flow, this.#sender.dialog.isSecure)]);
    let sent: SipRequest | null = null;
    const acks = new Map<number, () => void>();
    this.#sender.request(
      job.method,
      {
        headers,
        ...(job.offers && { body: { type: sdpType, bytes: this.#host.media.offer() } }),
        onSent: ({ request }) => {
          sent = request;
        },
      },
      {
        onResponse: (response, envelope) => {
          if (response.status < 200) return;
          const again = acks.get(envelope.cseq.number);
          if (again !== undefined) again();
          else {
            const agreed = response.status < 300;
            if (agreed && job.method === 'INVITE') acks.set(envelope.cseq.number, this.#acknowledge(envelope, sent));
            this.#onFinal(job, response);
          }
        },
        onFailure: (cause, message) => {
          if (cause === 'timeout') this.#finish(job, { type: 'gone', message });
          else this.#finish(job, { type: 'refused', status: 503 });
        },
      },
    );
  }

  #acknowledge(envelope: Envelope, invite: SipRequest | null): () => void {
    const repeat = invite === null ? null : this.#sender.acknowledge(envelope.cseq.number, invite);
    return () => repeat?.();
  }

  #onFinal(job: PendingRenegotiation, response: SipResponse): void {
    const { status } = response;
    if (this.#jobs[0] !== job) return;
    if (status < 300) {
      this.#sender.dialog.refreshTarget(response);
      this.#sent = false;
      this.#host.onRefreshed(response);
      const answer = response.body.length === 0 ? noBody : response.body;
      const fits = !job.offers || this.#host.media.accept(answer, this.#sender.dialog.flow.remote.address);
      this.#finish(job, fits ? { type: 'agreed' } : { type: 'refused', status: 488 });
      if (!fits) this.#host.onMismatch();
    } else if (status === 408 || status === 481) {
      this.#finish(job, { type: 'gone', message: `The peer no longer knows the call: ${status} ${response.reason}` });
    } else if (status === 491) this.#later(job, status);
    else if (status === 422 && job.attempts < maxAttempts) {
      this.#host.onTooBrief(response);
      this.#send(job);
    } else this.#finish(job, { type: 'refused', status });
  }

  /**
   * Repeats a request after a random time, from a different range for each side, to avoid another collision. After
   * `maxAttempts`, reports it as rejected with `status`.
   */
  #later(job: PendingRenegotiation, status: number): void {
    this.#sent = false;
    if (job.attempts >= maxAttempts) {
      this.#finish(job, { type: 'refused', status });
      return;
    }
    const [share = 0] = this.#context.random(1);
    const delayMs = this.#host.caller ? 2_100 + (share / 255) * 1_900 : (share / 255) * 2_000;
    this.#retry.set(delayMs, () => this.#next());
  }

  #finish(job: PendingRenegotiation, outcome: RenegotiationOutcome): void {
    this.#sent = false;
    if (this.#jobs[0] !== job) return;
    this.#jobs.shift();
    job.resolve(outcome);
    this.#next();
  }
}
