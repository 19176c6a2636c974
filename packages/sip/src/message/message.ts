import type { SipHeaders } from './headers.ts';

export interface SipRequest {
  readonly kind: 'request';
  /** As written: methods are case-sensitive. */
  readonly method: string;
  readonly uri: string;
  readonly headers: SipHeaders;
  readonly body: Uint8Array;
  /** With all its parts, where `body` is one part of it. */
  readonly wholeBody?: Uint8Array;
}

export interface SipResponse {
  readonly kind: 'response';
  readonly status: number;
  readonly reason: string;
  readonly headers: SipHeaders;
  readonly body: Uint8Array;
  /** With all its parts, where `body` is one part of it. */
  readonly wholeBody?: Uint8Array;
}

export type SipMessage = SipRequest | SipResponse;

export const noBody: Uint8Array = new Uint8Array(0);
