import { TimerSlot } from '@va/media';
import type { DigestClient } from '../auth/digest-client.ts';
import { sendAuthenticated } from '../dialog/send-authenticated.ts';
import type { SessionContext } from '../dialog/session/session-context.ts';
import { SipHeaders } from '../message/headers.ts';
import { noBody, type SipRequest, type SipResponse } from '../message/message.ts';
import { formatNameAddr, type NameAddr, withTag } from '../message/name-addr.ts';
import type { Flow } from '../transport/flow.ts';

/** A series of local requests outside a call: one Call-ID, one From tag, increasing sequence numbers. */
export class StandaloneRequests {
  readonly #context: SessionContext;
  readonly #from: string;
  readonly #to: string;
  readonly #callId: string;
  /** Cancels the requests that wait for a response. */
  readonly #pending = new Set<() => void>();
  #cseq = 0;

  constructor(context: SessionContext, from: NameAddr, to: NameAddr) {
    const token = (bytes: number): string => Buffer.from(context.random(bytes)).toString('hex');
    this.#context = context;
    this.#from = formatNameAddr(withTag(from, token(6)));
    this.#to = formatNameAddr(to);
    this.#callId = token(12);
  }

  /** Sends a request. Returns the final response to it, or a sentence that describes the failure. */
  ask(options: StandaloneRequestOptions): Promise<SipResponse | string> {
    const { method, uri, flow, digest = null, timeoutMs } = options;
    const headers = SipHeaders.of([
      ['Max-Forwards', '70'],
      ['From', this.#from],
      ['To', this.#to],
      ['Call-ID', this.#callId],
      ['CSeq', `${this.#nextCSeq()} ${method}`],
      ['User-Agent', this.#context.userAgent],
      ...options.headers,
    ]);
    const request: SipRequest = { kind: 'request', method, uri, headers, body: noBody };
    return new Promise((resolve) => {
      const deadline = new TimerSlot(this.#context.clock);
      const finish = (result: SipResponse | string): void => {
        deadline.clear();
        this.#pending.delete(cancel);
        resolve(result);
      };
      const cancel = (): void => finish('The request was canceled.');
      this.#pending.add(cancel);
      if (timeoutMs !== undefined) deadline.set(timeoutMs, () => finish(`No response arrived within ${timeoutMs} ms.`));
      sendAuthenticated(
        this.#context,
        { request, flow, digest, nextCSeq: () => this.#nextCSeq() },
        {
          onResponse: (response) => {
            if (response.status >= 200) finish(response);
          },
          onFailure: (_, message) => finish(message),
        },
      );
    });
  }

  /** Stops waiting for responses: pending requests resolve as failures, and leave no timer behind. */
  cancel(): void {
    for (const cancel of [...this.#pending]) cancel();
  }

  #nextCSeq(): number {
    this.#cseq += 1;
    return this.#cseq;
  }
}

interface StandaloneRequestOptions {
  readonly method: string;
  readonly uri: string;
  readonly flow: Flow;
  readonly headers: readonly (readonly [string, string])[];
  readonly digest?: DigestClient | null;
  /** Default: the duration of the transaction. */
  readonly timeoutMs?: number;
}
