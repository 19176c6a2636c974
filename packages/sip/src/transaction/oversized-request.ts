import type { SipRequest } from '../message/message.ts';
import type { Flow } from '../transport/flow.ts';
import type { ClientTransaction, ClientTransactionUser } from './client-transaction.ts';

/**
 * What a datagram holds that need not be cut into pieces on its way, where nobody knows the way. @see RFC 3261 §18.1.1
 */
export const maxDatagramBytes = 1_300;

export interface OversizedRequestOptions {
  readonly datagrams: Flow;
  readonly stream: Flow;
  readonly user: ClientTransactionUser;
  /** Sends the request in a new transaction. */
  readonly send: (flow: Flow, user: ClientTransactionUser) => ClientTransaction;
  /** The peer takes no connection. */
  readonly onRefused: () => void;
}

/**
 * A request that is too large for a datagram goes over a connection to the same place, and as a datagram after all
 * where the peer takes no connections.
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
