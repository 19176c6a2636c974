import type { Clock } from '@va/core/adapter';
import type { Envelope } from '../message/envelope.ts';
import type { SipRequest, SipResponse } from '../message/message.ts';
import type { Flow } from '../transport/flow.ts';
import type { SipTimers } from '../transport/timers.ts';

/** Receives the result of a request. Nothing follows `onFailure`, or a final response to a non-INVITE. */
export interface ClientTransactionUser {
  /** An INVITE may have several provisional responses and, through forking proxies, several 2xx. */
  onResponse(response: SipResponse, envelope: Envelope): void;
  /** No final response arrived in time, or the transport failed. */
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

/** A local request and the peer's responses to it. */
export interface ClientTransaction {
  /** The request with its Via, from which CANCEL and ACK are derived. */
  readonly request: SipRequest;
  readonly flow: Flow;
}

/** The transaction as the layer sees it; its user sees {@link ClientTransaction}. */
export interface ManagedClientTransaction extends ClientTransaction {
  start(): void;
  onResponse(response: SipResponse, envelope: Envelope): void;
  onTransportFailure(message: string): void;
  /** Discards the transaction without a callback to its user. */
  destroy(): void;
}
