import type { Envelope } from '../message/envelope.ts';
import type { SipRequest, SipResponse } from '../message/message.ts';
import type { Flow } from '../transport/flow.ts';

/** A request from a peer and the local responses to it. */
export interface ServerTransaction {
  readonly request: SipRequest;
  readonly envelope: Envelope;
  readonly flow: Flow;
  /** Sends a response. After a final one, only a 2xx to an INVITE may be sent again; others are ignored. */
  respond(response: SipResponse): void;
}

/** The transaction as the layer sees it; its user sees {@link ServerTransaction}. */
export interface ManagedServerTransaction extends ServerTransaction {
  /** Handles a retransmission of the request. */
  onRetransmission(): void;
  /** Handles the ACK for a rejection. */
  onAck(): void;
  /** Discards the transaction without a message to the peer. */
  destroy(): void;
}
