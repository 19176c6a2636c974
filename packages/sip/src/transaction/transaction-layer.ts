import type { Clock, RandomBytes } from '@va/core/adapter';
import type { Envelope } from '../message/envelope.ts';
import { SipHeaders } from '../message/headers.ts';
import type { SipMessage, SipRequest, SipResponse } from '../message/message.ts';
import { createResponse } from '../message/response.ts';
import { serializeMessage } from '../message/serialize.ts';
import { branchCookie, formatVia } from '../message/via.ts';
import { Blacklist } from '../resolve/blacklist.ts';
import { toHost } from '../transport/address.ts';
import type { Flow } from '../transport/flow.ts';
import type { SipTimers } from '../transport/timers.ts';
import type { MessageListener, Target, TransportLayer } from '../transport/transport-layer.ts';
import type { Release, UntrustedSourceLimits } from '../transport/untrusted-source-limits.ts';
import type { ClientTransaction, ClientTransactionUser, ManagedClientTransaction } from './client-transaction.ts';
import { InviteClientTransaction } from './invite-client.ts';
import { InviteServerTransaction } from './invite-server.ts';
import { NonInviteClientTransaction } from './non-invite-client.ts';
import { NonInviteServerTransaction } from './non-invite-server.ts';
import { maxDatagramBytes, OversizedRequest } from './oversized-request.ts';
import type { ManagedServerTransaction, ServerTransaction } from './server-transaction.ts';
import { clientKey, mergeKey, serverKey } from './transaction-keys.ts';

/** Callbacks of the transaction layer to the user agent. */
export interface TransactionListener {
  onRequest(transaction: ServerTransaction): void;
  /** An ACK. One for a 2xx belongs to a dialog; others need no handling. */
  onAck(request: SipRequest, envelope: Envelope): void;
  onCancel(invite: ServerTransaction): void;
}

interface TransactionLayerOptions {
  readonly clock: Clock;
  readonly timers: SipTimers;
  readonly random: RandomBytes;
  /** Limits requests of untrusted sources. Default: no limit. */
  readonly untrusted?: UntrustedSourceLimits | undefined;
}

/** Time after a refused connection in which large requests to the peer are sent as datagrams. */
const datagramsOnlyMs = 600_000;

/** Matches messages to transactions and creates new ones. @see RFC 3261 §17 */
export class TransactionLayer implements MessageListener {
  readonly #options: TransactionLayerOptions;
  readonly #listener: TransactionListener;
  readonly #servers = new Map<string, ManagedServerTransaction>();
  readonly #clients = new Map<string, ManagedClientTransaction>();
  /**
   * Maps requests without a To tag to the transaction that they started, to detect copies that arrived on another path.
   */
  readonly #merged = new Map<string, string>();
  /** Peers that accepted no connection for a request that was too large for a datagram. */
  readonly #datagramsOnly: Blacklist;
  #transport: TransportLayer | null = null;

  constructor(options: TransactionLayerOptions, listener: TransactionListener) {
    this.#options = options;
    this.#listener = listener;
    this.#datagramsOnly = new Blacklist(options.clock);
  }

  /** Connects the transport layer, which is created after this one. */
  attach(transport: TransportLayer): void {
    this.#transport = transport;
  }

  /**
   * Sends a request in a new transaction. Adds the Via, with `branch` or a new one. A request that is too large for a
   * datagram is sent over a connection if the peer accepts one.
   */
  request(request: SipRequest, flow: Flow, user: ClientTransactionUser, branch?: string): ClientTransaction {
    const ownBranch = branch ?? this.#newBranch();
    const stream = this.#streamFor(request, flow, ownBranch);
    if (stream === null) return this.#send(request, flow, user, ownBranch);
    return new OversizedRequest({
      datagrams: flow,
      stream,
      user,
      send: (each, listener) => this.#send(request, each, listener, each === stream ? ownBranch : this.#newBranch()),
      onRefused: () => this.#datagramsOnly.add(streamTarget(flow), datagramsOnlyMs),
    });
  }

  /**
   * Returns the connection for a request that is too large for a datagram; null when it is not, or the peer accepts
   * none.
   */
  #streamFor(request: SipRequest, flow: Flow, branch: string): Flow | null {
    if (flow.transport !== 'udp' || this.#datagramsOnly.has(streamTarget(flow))) return null;
    const { length } = serializeMessage(withVia(request, flow, branch));
    return length > maxDatagramBytes ? (this.#transport?.flowTo(streamTarget(flow)) ?? null) : null;
  }

  #send(request: SipRequest, flow: Flow, user: ClientTransactionUser, ownBranch: string): ClientTransaction {
    const key = `${ownBranch}|${request.method}`;
    const options = {
      clock: this.#options.clock,
      timers: this.#options.timers,
      flow,
      user,
      send: (each: SipRequest) => flow.send(serializeMessage(each)),
      onTerminated: () => this.#clients.delete(key),
    };
    const transaction =
      request.method === 'INVITE'
        ? new InviteClientTransaction(withVia(request, flow, ownBranch), options)
        : new NonInviteClientTransaction(withVia(request, flow, ownBranch), options);
    this.#clients.set(key, transaction);
    transaction.start();
    return transaction;
  }

  /** Prepares an ACK for a 2xx, which has no transaction: the same bytes answer each retransmission of the 2xx. */
  prepareAck(ack: SipRequest, flow: Flow): Uint8Array {
    return serializeMessage(withVia(ack, flow, this.#newBranch()));
  }

  onMessage(message: SipMessage, envelope: Envelope, flow: Flow): void {
    if (message.kind === 'response') {
      const client = this.#clients.get(clientKey(envelope));
      if (client !== undefined) this.#transport?.learnAddress(client.flow, envelope.via);
      client?.onResponse(message, envelope);
    } else if (message.method === 'ACK') this.#onAck(message, envelope);
    else this.#onRequest(message, envelope, flow);
  }

  onFailure(flow: Flow, error: Error): void {
    for (const client of [...this.#clients.values()]) {
      const same = client.flow === flow || isSameDatagramFlow(client.flow, flow);
      if (same) client.onTransportFailure(error.message);
    }
  }

  destroy(): void {
    for (const each of [...this.#servers.values(), ...this.#clients.values()]) each.destroy();
  }

  #newBranch(): string {
    return branchCookie + Buffer.from(this.#options.random(12)).toString('hex');
  }

  #onAck(request: SipRequest, envelope: Envelope): void {
    this.#servers.get(serverKey(envelope, 'INVITE'))?.onAck();
    // Passed on even if a transaction matched: some peers reuse the INVITE's branch for the ACK of a 2xx.
    this.#listener.onAck(request, envelope);
  }

  #onRequest(request: SipRequest, envelope: Envelope, flow: Flow): void {
    const key = serverKey(envelope, request.method);
    const known = this.#servers.get(key);
    if (known !== undefined) {
      known.onRetransmission();
      return;
    }
    // Neither a response nor a log line: both would cost effort during a flood.
    const release = this.#options.untrusted?.takeRequest(flow);
    if (release === null) return;
    const transaction = this.#createServer(key, request, envelope, flow, release);
    if (request.method === 'CANCEL') this.#onCancel(transaction);
    else if (envelope.toTag === '' && this.#isMerged(key, envelope)) transaction.respond(createResponse(request, 482));
    else this.#listener.onRequest(transaction);
  }

  #onCancel(cancel: ServerTransaction): void {
    const invite = this.#servers.get(serverKey(cancel.envelope, 'INVITE'));
    cancel.respond(createResponse(cancel.request, invite === undefined ? 481 : 200));
    if (invite !== undefined) this.#listener.onCancel(invite);
  }

  #isMerged(key: string, envelope: Envelope): boolean {
    const merge = mergeKey(envelope);
    const first = this.#merged.get(merge);
    if (first === undefined) this.#merged.set(merge, key);
    return first !== undefined && first !== key;
  }

  #createServer(
    key: string,
    request: SipRequest,
    envelope: Envelope,
    flow: Flow,
    release: Release = () => {},
  ): ManagedServerTransaction {
    const options = {
      clock: this.#options.clock,
      timers: this.#options.timers,
      send: (response: SipResponse) => this.#transport?.respond(response, envelope.via, flow) ?? 0,
      mayBeForged: () => this.#transport?.mayBeForged(flow) ?? false,
      onTerminated: () => {
        this.#servers.delete(key);
        release();
        if (this.#merged.get(mergeKey(envelope)) === key) this.#merged.delete(mergeKey(envelope));
      },
    };
    const transaction =
      request.method === 'INVITE'
        ? new InviteServerTransaction(request, envelope, flow, options)
        : new NonInviteServerTransaction(request, envelope, flow, options);
    this.#servers.set(key, transaction);
    return transaction;
  }
}

function streamTarget(flow: Flow): Target {
  return { ...flow.remote, transport: 'tcp' };
}

function withVia(request: SipRequest, flow: Flow, branch: string): SipRequest {
  const { address, port } = flow.advertised;
  const params = new Map([
    ['branch', branch],
    ['rport', ''],
  ]);
  if (flow.mayAlias) params.set('alias', '');
  const via = formatVia({ transport: flow.transport.toUpperCase(), host: toHost(address), port, params });
  return { ...request, headers: SipHeaders.of([['Via', via], ...request.headers.entries()]) };
}

/**
 * Returns whether both flows are datagram flows to one address. They are created per packet, so identity does not show
 * it.
 */
function isSameDatagramFlow(one: Flow, other: Flow): boolean {
  return (
    one.transport === 'udp' &&
    other.transport === 'udp' &&
    one.remote.address === other.remote.address &&
    one.remote.port === other.remote.port
  );
}
