import type { SipRequest } from '../message/message.ts';
import type { Flow } from '../transport/flow.ts';
import type { ClientTransaction, ClientTransactionUser } from './client-transaction.ts';

/** Maximum size of a datagram that is not fragmented, for an unknown path MTU. @see RFC 3261 §18.1.1 */
export const maxDatagramBytes = 1_300;

interface OversizedRequestOptions {
  readonly datagrams: Flow;
  readonly stream: Flow;
  readonly user: ClientTransactionUser;
  /** Sends the request in a new transaction. */
  readonly send: (flow: Flow, user: ClientTransactionUser) => ClientTransaction;
  /** The peer accepts no connection. */
  readonly onRefused: () => void;
}

/**
 * Sends a request that is too large for a datagram over a connection to the same target, or as a datagram after all if
 * the peer accepts no connections.
 * @see RFC 3261 §18.1.1
 */
export class OversizedRequest implements ClientTransaction {
  #current: ClientTransaction;

  constructor({ datagrams, stream, user, send, onRefused }: OversizedRequestOptions) {
    let isAnswered = false;
    this.#current = send(stream, {
      onResponse: (response, envelope) => {
        isAnswered = true;
        user.onResponse(response, envelope);
      },
      onFailure: (cause, message) => {
        if (cause === 'timeout' || isAnswered) user.onFailure(cause, message);
        else {
          onRefused();
          this.#current = send(datagrams, user);
        }
      },
    });
  }

  get request(): SipRequest {
    return this.#current.request;
  }

  get flow(): Flow {
    return this.#current.flow;
  }
}
