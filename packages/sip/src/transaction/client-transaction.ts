import type { Clock } from '@va/core';
import type { Envelope } from '../message/envelope.ts';
import type { SipRequest, SipResponse } from '../message/message.ts';
import type { Flow } from '../transport/flow.ts';
import type { SipTimers } from '../transport/timers.ts';

/** Who sent a request hears of it here. After `onFailure`, or a final response to a non-INVITE, nothing more comes. */
export interface ClientTransactionUser {
  /** An INVITE may have several provisional responses and, over forking proxies, several 2xx. */
  onResponse(response: SipResponse, envelope: Envelope): void;
  /** No final response came in time, or the transport failed. */
  onFailure(cause: 'timeout' | 'transport', message: string): void;
}

export interface ClientTransactionOptions {
  readonly clock: Clock;
  readonly timers: SipTimers;
  readonly flow: Flow;
  readonly send: (request: SipRequest) => void;
  readonly user: ClientTransactionUser;
  readonly onTerminated: () => void;
}

/** One request of ours and the peer's answer to it. */
export interface ClientTransaction {
  /** With our Via: what CANCEL and ACK are made from. */
  readonly request: SipRequest;
  readonly flow: Flow;
}

/** What the layer does with a transaction; the user of it sees {@link ClientTransaction}. */
export interface ManagedClientTransaction extends ClientTransaction {
  start(): void;
  onResponse(response: SipResponse, envelope: Envelope): void;
  onTransportFailure(message: string): void;
  /** Forgets it at once, without a word to its user. */
  destroy(): void;
}
