import { isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { classifyAddress } from '@va/core/adapter';
import { isUnspecified } from '@va/media';
import { reachableAddress } from '../transport/address.ts';
import type { Flow } from '../transport/flow.ts';

/** Local address on which a call receives its media. */
interface LocalMedia {
  /** Address that sockets are bound to. */
  readonly bind: string;
  /** Address written in the SDP. */
  readonly address: string;
}

interface LocalMediaOptions {
  /** Address to bind to, regardless of the transport of the signalling. */
  readonly rtpAddress?: string | undefined;
  /** Address written in the SDP instead of the bound one. */
  readonly publicAddress?: string | undefined;
}

/**
 * Chooses the local address for the media of a call: `rtpAddress`, or the address on which its signalling arrived, or,
 * if the offer has the other address family, an address of this machine in that family.
 * @param offered media address of the remote offer; null when the local side makes the offer
 * @returns null if `rtpAddress` is of the other family, or this machine has no address of that family
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

/** Returns an address of this machine for media to `peer`, in the same address family; null if there is none. */
function ownAddress(peer: string): string | null {
  const family = isIPv6(peer) ? 'IPv6' : 'IPv4';
  const isLocal = classifyAddress(peer) === 'loopback';
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const found = addresses.find(
    (each) => each.family === family && each.internal === isLocal && classifyAddress(each.address) !== 'linkLocal',
  );
  return found?.address ?? null;
}

/** Returns whether both are of one address family; true for a host name, which may resolve to either. */
export function isSameFamily(one: string, other: string): boolean {
  return isIP(one) === 0 || isIP(other) === 0 || isIPv6(one) === isIPv6(other);
}
