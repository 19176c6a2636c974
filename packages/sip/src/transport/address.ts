import { isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { VaError } from '@va/core';
import { parseHostPort } from '../message/uri.ts';

/** Supported transports. */
export type TransportName = 'udp' | 'tcp' | 'tls';

/** Address on which the agent listens, with the actual port. */
export interface SipAddress {
  readonly transport: TransportName;
  readonly address: string;
  readonly port: number;
}

/** Ports of URIs without one. @see RFC 3261 §19.1.2 */
export const defaultPorts: Readonly<Record<TransportName, number>> = { udp: 5060, tcp: 5060, tls: 5061 };

/** Parses the name of a transport, case-insensitively; null for an unsupported one. */
export function toTransportName(text: string): TransportName | null {
  const name = text.toLowerCase();
  return name === 'udp' || name === 'tcp' || name === 'tls' ? name : null;
}

/**
 * Parses `udp://0.0.0.0:5060`, `tcp://[::1]:5060` or `tls://0.0.0.0:5061`.
 * @throws VaError `sip_listen_address` for any other form
 */
export function parseListenAddress(text: string): SipAddress {
  const match = /^(udp|tcp|tls):\/\/(.+)$/i.exec(text);
  const authority = parseHostPort(match?.[2] ?? '');
  const address = stripBrackets(authority?.host ?? '');
  const transport = toTransportName(match?.[1] ?? '');
  if (transport === null || authority === null || isIP(address) === 0) {
    throw new VaError(
      'sip_listen_address',
      `"${text}" is not a listen address. Expected udp://, tcp:// or tls:// with an IP address, such as ` +
        'udp://0.0.0.0:5060.',
    );
  }
  return { transport, address, port: authority.port ?? defaultPorts[transport] };
}

/** Removes the brackets of an IPv6 literal. */
export function stripBrackets(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host;
}

/** Formats the address for a URI or Via. */
export function toHost(address: string): string {
  return isIPv6(address) ? `[${address}]` : address;
}

function isWildcard(address: string): boolean {
  return address === '0.0.0.0' || address === '::';
}

function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || /^(?:::ffff:)?127\./.test(address);
}

/**
 * Returns the address at which `remote` reaches a local socket bound to `bound`: the bound address, unless it is a
 * wildcard; then the loopback address for a peer on this machine, and the first external address for others.
 */
export function reachableAddress(bound: string, remote: string): string {
  if (!isWildcard(bound)) return bound;
  const family = isIPv6(remote) ? 'IPv6' : 'IPv4';
  const loopback = family === 'IPv6' ? '::1' : '127.0.0.1';
  if (isLoopback(remote)) return loopback;
  const interfaces = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return interfaces.find((each) => each.family === family && !each.internal)?.address ?? loopback;
}
