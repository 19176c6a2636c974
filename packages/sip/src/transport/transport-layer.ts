import { isIP, isIPv6 } from 'node:net';
import { type Clock, type Logger, sourceKey, type Timer, toError, VaError } from '@va/core/adapter';
import { type Endpoint, TimerSlot } from '@va/media';
import { type Envelope, readEnvelope } from '../message/envelope.ts';
import type { SipMessage, SipRequest, SipResponse } from '../message/message.ts';
import { withDescription } from '../message/multipart.ts';
import { parseMessage } from '../message/parse.ts';
import { createResponse } from '../message/response.ts';
import { serializeMessage } from '../message/serialize.ts';
import { formatVia, parseVia, type Via } from '../message/via.ts';
import { defaultPorts, parseListenAddress, type SipAddress, stripBrackets, type TransportName } from './address.ts';
import { AdvertisedAddresses } from './advertised-addresses.ts';
import type { Flow, TransportListener } from './flow.ts';
import { LogLimiter } from './log-limiter.ts';
import type { SourceGuard } from './source-guard.ts';
import { StreamConnection } from './stream-connection.ts';
import { StreamTransport } from './stream-transport.ts';
import type { TlsOptions } from './tls-options.ts';
import { UdpTransport } from './udp-transport.ts';

/** Next hop of a request. @see RFC 3261 §8.1.2 */
export interface Target extends Endpoint {
  readonly transport: TransportName;
  /**
   * Name that the peer's certificate must be valid for, if it differs from the address: the requested domain.
   * @see RFC 5922 §4
   */
  readonly serverName?: string | undefined;
}

interface TransportLayerOptions {
  readonly clock: Clock;
  /** Such as `udp://0.0.0.0:5060`; port 0 selects a free one. */
  readonly listen: readonly string[];
  readonly publicAddress?: string | undefined;
  readonly tls?: TlsOptions | undefined;
  /** Decides which requests are left unanswered. Default: none. */
  readonly guard?: SourceGuard | undefined;
  /** Ping interval of outgoing connections. */
  readonly keepAliveMs?: number | undefined;
  readonly logger: Logger;
}

/** Callbacks of the transport layer to the transaction layer. */
export interface MessageListener {
  onMessage(message: SipMessage, envelope: Envelope, flow: Flow): void;
  onFailure(flow: Flow, error: Error): void;
}

/** NATs drop a UDP binding after 30 s. @see RFC 5626 §4.4.2 */
const datagramKeepAliveMs = 25_000;
const keepAliveBytes = new Uint8Array([13, 10, 13, 10]);

/** Owns all sockets of the agent, and turns bytes into messages for the transaction layer. */
export class TransportLayer implements TransportListener {
  readonly #options: TransportLayerOptions;
  readonly #listener: MessageListener;
  readonly #udp: UdpTransport[] = [];
  readonly #streams: StreamTransport[] = [];
  /** Transports that only open connections, for protocols without a listening address. */
  readonly #outward = new Map<string, StreamTransport>();
  readonly #advertised: AdvertisedAddresses;
  readonly #logLimiter: LogLimiter;

  constructor(options: TransportLayerOptions, listener: MessageListener) {
    this.#options = options;
    this.#listener = listener;
    this.#logLimiter = new LogLimiter(options.clock);
    this.#advertised = new AdvertisedAddresses(options.publicAddress);
  }

  /**
   * @throws VaError `sip_listen_failed` when an address cannot be bound, `sip_tls_certificate` when `tls://` has no
   *   certificate; all sockets are closed then
   */
  async start(): Promise<void> {
    for (const text of this.#options.listen) {
      const address = parseListenAddress(text);
      try {
        if (address.transport === 'udp') this.#udp.push(await UdpTransport.open(address, this.#advertised, this));
        else this.#streams.push(await StreamTransport.open(this.#streamOptions(address)));
      } catch (error) {
        await this.close();
        if (error instanceof VaError) throw error;
        const message =
          `Cannot listen on ${text}: ${toError(error).message}. Choose a free port and an address ` +
          'of this machine.';
        throw new VaError('sip_listen_failed', message, { cause: error });
      }
    }
  }

  get addresses(): readonly SipAddress[] {
    return [...this.#udp, ...this.#streams].map((each) => each.address);
  }

  /** Returns null when no datagram socket of that address family is open; connections can always be tried. */
  flowTo(target: Target): Flow | null {
    const isV6 = isIPv6(target.address);
    const fits = ({ address: { address } }: { readonly address: SipAddress }): boolean =>
      isIP(target.address) === 0 || isIPv6(address) === isV6;
    const remote = { address: target.address, port: target.port };
    if (target.transport === 'udp') return this.#udp.find(fits)?.flowTo(remote) ?? null;
    const listening = this.#streams.find((each) => each.address.transport === target.transport && fits(each));
    return (listening ?? this.#clientTransport(target.transport, isV6)).flowTo(remote, target.serverName);
  }

  /**
   * Sends a double CRLF every 25 s to keep the NAT binding of a UDP peer open. Does nothing for TCP and TLS, whose
   * outgoing connections send their own. Cancel the timer when the binding is no longer needed.
   * @see RFC 5626 §4.4
   */
  keepAlive(flow: Flow): Timer {
    const slot = new TimerSlot(this.#options.clock);
    const again = (): void => {
      slot.set(datagramKeepAliveMs, () => {
        flow.send(keepAliveBytes);
        again();
      });
    };
    if (!flow.reliable) again();
    return { cancel: () => slot.clear() };
  }

  /** Learns the local address that the peer sees from the response to a local request. */
  learnAddress(flow: Flow, via: Via): void {
    this.#advertised.learn(flow, via);
  }

  /** Returns true if only few bytes may be sent to the source of a request, because its address may be forged. */
  mayBeForged(flow: Flow): boolean {
    return this.#options.guard?.mayBeForged(flow) ?? false;
  }

  /**
   * Sends a response to the target given by its topmost Via and the flow of its request (RFC 3261 §18.2.2, RFC 3581
   * §4). Returns the number of bytes sent.
   */
  respond(response: SipResponse, via: Via, flow: Flow): number {
    this.#options.guard?.onResponse(response, flow);
    // Only an authorized call rings or is answered.
    if (response.status > 100 && response.status < 300 && isOfInvite(response)) flow.trust?.();
    const bytes = serializeMessage(response);
    if (flow.transport === 'udp') {
      const port = via.params.has('rport') ? flow.remote.port : (via.port ?? defaultPorts.udp);
      const back = port === flow.remote.port ? flow : this.flowTo({ ...flow.remote, transport: 'udp', port });
      back?.send(bytes);
    } else if (flow.open) flow.send(bytes);
    else {
      const address = via.params.get('received') ?? stripBrackets(via.host);
      const port = via.port ?? defaultPorts[flow.transport];
      this.flowTo({ transport: flow.transport, address, port })?.send(bytes);
    }
    return bytes.length;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#udp, ...this.#streams, ...this.#outward.values()].map((each) => each.close()));
  }

  onBytes(bytes: Uint8Array, flow: Flow): void {
    const parsed = parseMessage(bytes);
    if (!parsed.ok) {
      this.#reject(parsed.request, flow, parsed.fault.status, parsed.fault.message);
      return;
    }
    const message = withDescription(parsed.message);
    const envelope = readEnvelope(message);
    if (typeof envelope === 'string') {
      this.#reject(message.kind === 'request' ? message : null, flow, 400, envelope);
      return;
    }
    if (message.kind === 'request') {
      const drop = this.#options.guard?.dropReason(message, envelope, flow) ?? null;
      if (drop !== null) {
        const from = `${flow.transport}:${flow.remote.address}:${flow.remote.port}`;
        this.#options.logger.debug({ from, method: message.method, drop }, 'dropped a SIP request');
        return;
      }
      const { port, params } = envelope.via;
      if (params.has('alias') && flow instanceof StreamConnection) flow.alias(port ?? defaultPorts[flow.transport]);
      this.#listener.onMessage(message, stampVia(message, envelope, flow), flow);
    } else this.#listener.onMessage(message, envelope, flow);
  }

  onFailure(flow: Flow, error: Error): void {
    const remote = `${flow.transport}:${flow.remote.address}:${flow.remote.port}`;
    this.#options.logger.debug({ remote, reason: error.message }, 'SIP flow failed or closed');
    this.#listener.onFailure(flow, error);
  }

  #streamOptions(address: SipAddress) {
    const { clock, tls = {}, guard, keepAliveMs } = this.#options;
    const isTrusted = (flow: Flow): boolean => guard?.trusts(flow) ?? false;
    return { clock, address, advertised: this.#advertised, tls, listener: this, isTrusted, keepAliveMs };
  }

  #clientTransport(transport: 'tcp' | 'tls', isV6: boolean): StreamTransport {
    const address = isV6 ? '::' : '0.0.0.0';
    const key = `${transport}|${address}`;
    const bound = { transport, address, port: defaultPorts[transport] };
    const stream = this.#outward.get(key) ?? new StreamTransport(this.#streamOptions(bound));
    this.#outward.set(key, stream);
    return stream;
  }

  #reject(request: SipRequest | null, flow: Flow, status: number, why: string): void {
    if (this.#options.guard?.maySendRejection(flow) === false) return;
    const hop = request?.headers.list('Via')[0];
    const answered = request !== null && hop !== undefined && request.method !== 'ACK';
    const from = `${flow.transport}:${flow.remote.address}:${flow.remote.port}`;
    const suppressed = this.#logLimiter.take(sourceKey(flow.remote.address));
    if (suppressed !== null)
      this.#options.logger.warn({ from, status, answered, suppressed, why }, 'malformed SIP message');
    if (!answered) return;
    const via = parseVia(hop);
    const response = createResponse(request, status);
    // If the hop cannot be parsed, the response goes back on the flow of the request.
    if (via === null) {
      this.#options.guard?.onResponse(response, flow);
      flow.send(serializeMessage(response));
    } else this.respond(response, via, flow);
  }
}

function isOfInvite(response: SipResponse): boolean {
  return (response.headers.get('CSeq') ?? '').endsWith('INVITE');
}

/** Adds the actual source of the request to the topmost Via (RFC 3261 §18.2.1, RFC 3581 §4). */
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
