import { isIP, isIPv6 } from 'node:net';
import { type Logger, toError, VaError } from '@va/core';
import { type Envelope, readEnvelope } from '../message/envelope.ts';
import type { SipMessage, SipRequest, SipResponse } from '../message/message.ts';
import { parseMessage } from '../message/parse.ts';
import { createResponse } from '../message/response.ts';
import { serializeMessage } from '../message/serialize.ts';
import { formatVia, parseVia, type Via } from '../message/via.ts';
import {
  defaultSipPort,
  type Endpoint,
  parseListenAddress,
  type SipAddress,
  stripBrackets,
  type TransportName,
} from './address.ts';
import type { Flow, TransportListener } from './flow.ts';
import { TcpTransport } from './tcp-transport.ts';
import { UdpTransport } from './udp-transport.ts';

/** Where a request goes: the next hop of RFC 3261 §8.1.2. */
export interface Target extends Endpoint {
  readonly transport: TransportName;
}

export interface TransportLayerOptions {
  /** Such as `udp://0.0.0.0:5060`; port 0 takes a free one. */
  readonly listen: readonly string[];
  readonly publicAddress?: string | undefined;
  readonly logger: Logger;
}

export interface MessageListener {
  onMessage(message: SipMessage, envelope: Envelope, flow: Flow): void;
  onFailure(flow: Flow, error: Error): void;
}

/** All sockets of the agent, and the way from bytes to messages that are worth a transaction. */
export class TransportLayer implements TransportListener {
  readonly #options: TransportLayerOptions;
  readonly #listener: MessageListener;
  readonly #udp: UdpTransport[] = [];
  readonly #tcp: TcpTransport[] = [];

  constructor(options: TransportLayerOptions, listener: MessageListener) {
    this.#options = options;
    this.#listener = listener;
  }

  /** @throws VaError `sip_listen_failed` when an address cannot be bound; nothing stays open then. */
  async start(): Promise<void> {
    const { listen, publicAddress } = this.#options;
    for (const text of listen) {
      const address = parseListenAddress(text);
      try {
        if (address.transport === 'udp') this.#udp.push(await UdpTransport.open(address, publicAddress, this));
        else this.#tcp.push(await TcpTransport.open(address, publicAddress, this));
      } catch (error) {
        await this.close();
        const message = `Cannot listen on ${text}: ${toError(error).message}. Choose a free port and an address of this machine.`;
        throw new VaError('sip_listen_failed', message, { cause: error });
      }
    }
  }

  get addresses(): readonly SipAddress[] {
    return [...this.#udp, ...this.#tcp].map((each) => each.address);
  }

  /** Null when no socket of that transport and address family is open. */
  flowTo(target: Target): Flow | null {
    const sixth = isIPv6(target.address);
    const candidates = target.transport === 'udp' ? this.#udp : this.#tcp;
    const fits = candidates.find((each) => isIP(target.address) === 0 || isIPv6(each.address.address) === sixth);
    return fits?.flowTo({ address: target.address, port: target.port }) ?? null;
  }

  /** Sends a response where its topmost Via and the flow of its request say (RFC 3261 §18.2.2, RFC 3581 §4). */
  respond(response: SipResponse, via: Via, flow: Flow): void {
    const bytes = serializeMessage(response);
    if (flow.transport === 'udp') {
      const port = via.params.has('rport') ? flow.remote.port : (via.port ?? defaultSipPort);
      const back = port === flow.remote.port ? flow : this.flowTo({ ...flow.remote, transport: 'udp', port });
      back?.send(bytes);
    } else if (flow.open) flow.send(bytes);
    else {
      const address = via.params.get('received') ?? stripBrackets(via.host);
      this.flowTo({ transport: 'tcp', address, port: via.port ?? defaultSipPort })?.send(bytes);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#udp, ...this.#tcp].map((each) => each.close()));
  }

  onBytes(bytes: Uint8Array, flow: Flow): void {
    const parsed = parseMessage(bytes);
    if (!parsed.ok) {
      this.#refuse(parsed.request, flow, parsed.fault.status, parsed.fault.message);
      return;
    }
    const { message } = parsed;
    const envelope = readEnvelope(message);
    if (typeof envelope === 'string') {
      this.#refuse(message.kind === 'request' ? message : null, flow, 400, envelope);
      return;
    }
    if (message.kind === 'request') this.#listener.onMessage(message, stampVia(message, envelope, flow), flow);
    else this.#listener.onMessage(message, envelope, flow);
  }

  onFailure(flow: Flow, error: Error): void {
    const remote = `${flow.transport}:${flow.remote.address}:${flow.remote.port}`;
    this.#options.logger.debug({ remote, reason: error.message }, 'A SIP flow has failed or closed.');
    this.#listener.onFailure(flow, error);
  }

  #refuse(request: SipRequest | null, flow: Flow, status: number, why: string): void {
    const hop = request?.headers.list('Via')[0];
    const answered = request !== null && hop !== undefined && request.method !== 'ACK';
    const from = `${flow.transport}:${flow.remote.address}:${flow.remote.port}`;
    this.#options.logger.warn({ from, status, answered }, `A malformed SIP message was refused: ${why}`);
    if (!answered) return;
    const via = parseVia(hop);
    const response = createResponse(request, status);
    // Where the hop cannot be read, the answer goes back the way that the request came.
    if (via === null) flow.send(serializeMessage(response));
    else this.respond(response, via, flow);
  }
}

/** Notes in the topmost Via where the request really came from (RFC 3261 §18.2.1, RFC 3581 §4). */
function stampVia(request: SipRequest, envelope: Envelope, flow: Flow): Envelope {
  const params = new Map(envelope.via.params);
  if (params.has('rport')) params.set('rport', String(flow.remote.port));
  if (params.has('rport') || stripBrackets(envelope.via.host) !== flow.remote.address) {
    params.set('received', flow.remote.address);
  }
  const via = { ...envelope.via, params };
  request.headers.replaceFirst('Via', formatVia(via));
  return { ...envelope, via };
}
