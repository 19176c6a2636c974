import type { Envelope } from '../message/envelope.ts';
import type { SipRequest, SipResponse } from '../message/message.ts';
import type { Flow } from '../transport/flow.ts';

/** One request from a peer and our answer to it. */
export interface ServerTransaction {
  readonly request: SipRequest;
  readonly envelope: Envelope;
  readonly flow: Flow;
  /** Sends a response. After a final one, only a 2xx to an INVITE may be sent again; others are ignored. */
  respond(response: SipResponse): void;
}

/** What the layer does with a transaction; the user of it sees {@link ServerTransaction}. */
export interface ManagedServerTransaction extends ServerTransaction {
  /** The same request has come again. */
  onRetransmission(): void;
  /** The ACK for a refusal has come. */
  onAck(): void;
  /** Forgets it at once, without a word to the peer. */
  destroy(): void;
}
