import { isIP } from 'node:net';
import type { AddressPolicy, Clock, RandomBytes } from '@va/core/adapter';
import { parseUri } from '../message/uri.ts';
import { defaultPorts, stripBrackets, type TransportName, toTransportName } from '../transport/address.ts';
import type { Target } from '../transport/transport-layer.ts';
import { Blacklist } from './blacklist.ts';
import { RecordCache } from './record-cache.ts';
import type { AddressRecord, NaptrRecord, SipDns, SrvRecord } from './sip-dns.ts';
import { orderSrv } from './srv-order.ts';

/** A peer before its DNS lookup. */
export interface PeerAddress {
  /** IP address or host name. */
  readonly host: string;
  /** Without it, the port is looked up (SRV), or that of the transport is used. */
  readonly port?: number | null | undefined;
  /** Without it, the transport is looked up (NAPTR, SRV). */
  readonly transport?: TransportName | null | undefined;
  /** True if only TLS is accepted, as with `sips:`. */
  readonly secure?: boolean | undefined;
}

export interface PeerResolverOptions {
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly dns: SipDns;
  /** Address policy for requests that a tenant or a caller causes. Default: every address is allowed. */
  readonly addresses?: AddressPolicy | undefined;
}

/** An SRV name to look up, with the transport that it stands for. */
interface SrvService {
  readonly name: string;
  readonly transport: TransportName;
}

const naptrServices: Readonly<Record<string, TransportName>> = {
  'sips+d2t': 'tls',
  'sip+d2t': 'tcp',
  'sip+d2u': 'udp',
};
const srvPrefixes: Readonly<Record<TransportName, string>> = { udp: '_sip._udp', tcp: '_sip._tcp', tls: '_sips._tcp' };
/** Lifetime of cached NAPTR and SRV records. Node does not report their TTL, so this is short. */
const serviceLifeMs = 60_000;
const longestLifeMs = 3_600_000;
const shortestLifeMs = 1_000;

/** Extracts the peer from a SIP URI; null when it names none. @see RFC 3263 §4.1 */
export function peerOf(uriText: string): PeerAddress | null {
  const uri = parseUri(uriText);
  if (uri === null || uri.scheme === 'tel' || uri.host === '') return null;
  const named = uri.params.get('transport');
  const transport = named === undefined ? null : toTransportName(named);
  if (named !== undefined && transport === null) return null;
  const host = uri.params.get('maddr') ?? uri.host;
  return { host, port: uri.port, transport, secure: uri.scheme === 'sips' };
}

/**
 * Locates the servers of a peer: its preferred transports (NAPTR), its servers by priority and weight (SRV), and their
 * addresses. Targets that failed recently come last.
 * @see RFC 3263 §4
 */
export class PeerResolver {
  readonly #dns: SipDns;
  readonly #naptr: RecordCache<NaptrRecord>;
  readonly #srv: RecordCache<SrvRecord>;
  readonly #addressRecords: RecordCache<AddressRecord>;
  readonly #blacklist: Blacklist;
  readonly #random: RandomBytes;
  readonly #policy: AddressPolicy | undefined;

  constructor({ clock, random, dns, addresses }: PeerResolverOptions) {
    this.#dns = dns;
    this.#policy = addresses;
    this.#random = random;
    this.#naptr = new RecordCache(clock, () => serviceLifeMs);
    this.#srv = new RecordCache(clock, () => serviceLifeMs);
    this.#addressRecords = new RecordCache(clock, lifeMs);
    this.#blacklist = new Blacklist(clock);
  }

  /** Returns the targets in the order in which to try them; empty when there are none. Never rejects. */
  async resolve(peer: PeerAddress | string): Promise<Target[]> {
    const known = typeof peer === 'string' ? peerOf(peer) : peer;
    if (known === null) return [];
    return this.#blacklist.order(await this.#find({ ...known, host: stripBrackets(known.host).replace(/\.$/, '') }));
  }

  /**
   * Like {@link resolve}, without the targets that the address policy rejects.
   * @throws Error when no target is left
   */
  async resolveAllowed(peer: PeerAddress): Promise<Target[]> {
    const targets = await this.resolve(peer);
    if (targets.length === 0) throw new Error(`The DNS has no address for ${peer.host}.`);
    const allowed = targets.filter(({ address }) => this.allows(address, peer.host));
    if (allowed.length > 0) return allowed;
    throw new Error(
      `The address policy rejects ${targets.map(({ address }) => address).join(', ')}, the address of ${peer.host}.`,
    );
  }

  /**
   * Tells whether the address policy allows requests to the address.
   * @param host name that resolved to it
   */
  allows(address: string, host?: string): boolean {
    return this.#policy?.allows(address, host) ?? true;
  }

  /**
   * Records that the target did not respond, could not be reached, or responded 503.
   * @param forMs delay that the target asked for in Retry-After
   */
  failed(target: Target, forMs?: number): void {
    this.#blacklist.add(target, forMs);
  }

  /** Records that the target responded: it is no longer avoided. */
  succeeded(target: Target): void {
    this.#blacklist.remove(target);
  }

  async #find(peer: PeerAddress): Promise<Target[]> {
    const { host, port, secure = false } = peer;
    const plain = secure ? 'tls' : 'udp';
    const given = secure ? 'tls' : peer.transport;
    const transport = given ?? plain;
    const fixedPort = port ?? defaultPorts[transport];
    if (isIP(host) !== 0) return [{ address: host, port: fixedPort, transport }];
    if (typeof port === 'number') return this.#addresses(host, port, transport, host);
    const services =
      given === null || given === undefined ? await this.#services(host, secure) : [serviceOf(given, host)];
    const targets: Target[] = [];
    let isOffered = false;
    for (const service of services) {
      const found = await this.#servers(service, host);
      if (found !== null) isOffered = true;
      targets.push(...(found ?? []));
    }
    return isOffered ? targets : this.#addresses(host, fixedPort, transport, host);
  }

  /**
   * Returns the services that the domain announces (NAPTR); without an announcement, one for each transport that may be
   * used.
   */
  async #services(host: string, secure: boolean): Promise<SrvService[]> {
    const answer = await this.#naptr.get(host, () => this.#dns.lookUpNaptr(host));
    const usable = (name: TransportName): boolean => !secure || name === 'tls';
    const services = answer.status === 'found' ? readNaptr(answer.records) : [];
    const wanted = services.filter(({ transport }) => usable(transport));
    if (wanted.length > 0) return wanted;
    return (['udp', 'tcp', 'tls'] as const).filter(usable).map((transport) => serviceOf(transport, host));
  }

  /** Returns the targets of a service; null when no SRV records are found. */
  async #servers({ name, transport }: SrvService, host: string): Promise<Target[] | null> {
    const answer = await this.#srv.get(name, () => this.#dns.lookUpSrv(name));
    if (answer.status !== 'found') return null;
    const targets: Target[] = [];
    for (const { target, port } of orderSrv(answer.records, () => this.#draw())) {
      const server = target.replace(/\.$/, '');
      // A single dot means that the service is not offered here (RFC 2782).
      if (server !== '') targets.push(...(await this.#addresses(server, port, transport, host)));
    }
    return targets;
  }

  /** @param requested domain that the certificate must be valid for (RFC 5922 §4) */
  async #addresses(name: string, port: number, transport: TransportName, requested: string): Promise<Target[]> {
    if (isIP(name) !== 0) return [{ address: name, port, transport, serverName: requested }];
    const answers = await Promise.all(
      ([4, 6] as const).map((family) =>
        this.#addressRecords.get(`${family}|${name}`, () => this.#dns.lookUpAddresses(name, family)),
      ),
    );
    return answers
      .flatMap((answer) => (answer.status === 'found' ? answer.records : []))
      .map(({ address }) => ({ address, port, transport, serverName: requested }));
  }

  #draw(): number {
    const [high = 0, low = 0] = this.#random(2);
    return (high * 256 + low) / 65_536;
  }
}

function serviceOf(transport: TransportName, host: string): SrvService {
  return { name: `${srvPrefixes[transport]}.${host}`, transport };
}

/** Returns the SIP services of a domain, best first. @see RFC 3263 §4.1, RFC 3403 §4.1 */
function readNaptr(records: readonly NaptrRecord[]): SrvService[] {
  return [...records]
    .sort((a, b) => a.order - b.order || a.preference - b.preference)
    .flatMap(({ flags, service, replacement }) => {
      const transport = naptrServices[service.toLowerCase()];
      const name = replacement.replace(/\.$/, '');
      return transport === undefined || flags.toLowerCase() !== 's' || name === '' ? [] : [{ name, transport }];
    });
}

function lifeMs(records: readonly AddressRecord[]): number {
  const shortest = Math.min(...records.map(({ ttlSeconds }) => ttlSeconds)) * 1_000;
  return Math.min(longestLifeMs, Math.max(shortestLifeMs, shortest));
}
