import { isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { classifyAddress } from '@va/core';
import { isUnspecified } from '@va/media';
import { reachableAddress } from '../transport/address.ts';
import type { Flow } from '../transport/flow.ts';

/** Where the media of a call are received. */
export interface LocalMedia {
  /** The address that sockets are bound to. */
  readonly bind: string;
  /** The address that the SDP names. */
  readonly address: string;
}

export interface LocalMediaOptions {
  /** Bound whatever the call's signalling uses. */
  readonly rtpAddress?: string | undefined;
  /** Named in the SDP in place of the bound one. */
  readonly publicAddress?: string | undefined;
}

/**
 * Chooses the address for the media of a call: the one that its signalling came in on, or where the offer is of the
 * other address family, one of this machine of that family.
 * @param offered the media address of the far end's offer; null where the offer is ours
 * @returns null where this machine has no address of that family
 * @see RFC 6157 §3
 */
export function localMedia(flow: Flow, offered: string | null, options: LocalMediaOptions): LocalMedia | null {
  const { rtpAddress, publicAddress } = options;
  const advertised = flow.advertised.address;
  const peer = offered === null || isUnspecified(offered) ? advertised : offered;
  if (rtpAddress !== undefined) {
    const address = publicAddress ?? reachableAddress(rtpAddress, advertised);
    return isSameFamily(rtpAddress, peer) ? { bind: rtpAddress, address } : null;
  }
  const bound = flow.bound?.address;
  if (isSameFamily(advertised, peer)) {
    const wildcard = isIPv6(peer) ? '::' : '0.0.0.0';
    return { bind: bound !== undefined && isSameFamily(bound, peer) ? bound : wildcard, address: advertised };
  }
  const own = ownAddress(peer);
  if (own === null) return null;
  return { bind: own, address: publicAddress !== undefined && isSameFamily(publicAddress, peer) ? publicAddress : own };
}

/** The address of this machine for media to `peer`, of the same family. */
function ownAddress(peer: string): string | null {
  const family = isIPv6(peer) ? 'IPv6' : 'IPv4';
  const isLocal = classifyAddress(peer) === 'loopback';
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const found = addresses.find(
    (each) => each.family === family && each.internal === isLocal && classifyAddress(each.address) !== 'linkLocal',
  );
  return found?.address ?? null;
}

/** A name may stand for an address of either. */
export function isSameFamily(one: string, other: string): boolean {
  return isIP(one) === 0 || isIP(other) === 0 || isIPv6(one) === isIPv6(other);
}
