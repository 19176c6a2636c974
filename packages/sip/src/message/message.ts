import type { SipHeaders } from './headers.ts';

/** A request. @see RFC 3261 §7.1 */
export interface SipRequest {
  readonly kind: 'request';
  /** Case-sensitive, as received. */
  readonly method: string;
  readonly uri: string;
  readonly headers: SipHeaders;
  readonly body: Uint8Array;
  /** The complete multipart body, if `body` is one of its parts. */
  readonly wholeBody?: Uint8Array;
}

/** A response. @see RFC 3261 §7.2 */
export interface SipResponse {
  readonly kind: 'response';
  readonly status: number;
  readonly reason: string;
  readonly headers: SipHeaders;
  readonly body: Uint8Array;
  /** The complete multipart body, if `body` is one of its parts. */
  readonly wholeBody?: Uint8Array;
}

export type SipMessage = SipRequest | SipResponse;

export const noBody: Uint8Array = new Uint8Array(0);
