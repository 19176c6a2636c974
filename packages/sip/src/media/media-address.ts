import { isIP } from 'node:net';
import { type AddressKind, classifyAddress } from '@va/core/adapter';
import { type Endpoint, type MediaSourceMode, type MediaTrust, normalizeAddress } from '@va/media';

/** Settings of the media address check, and the origin of the SDP. */
export interface MediaTrustOptions {
  /** Sources that are accepted. Default: `latch`. */
  readonly mode?: MediaSourceMode | undefined;
  /** IP address from which the description was received; null or absent if it is unknown. */
  readonly signalling?: string | null | undefined;
  /** True if a peer may name private and loopback addresses, regardless of its signalling address. */
  readonly allowPrivate?: boolean | undefined;
}

/** Lower ports belong to system services; RTP to them is an attack or a mistake. */
const lowestMediaPort = 1_024;

const unreachable = '399 - "The media address cannot be reached from here"';

/**
 * Checks the media address of a session description.
 * @returns which sources of media to trust, or the text of a Warning header when media must not be sent there
 * @see RFC 3261 §20.43
 */
export function checkMediaAddress(named: Endpoint, options: MediaTrustOptions = {}): MediaTrust | string {
  const { mode = 'latch', allowPrivate = false } = options;
  const signalling = options.signalling && isIP(options.signalling) ? normalizeAddress(options.signalling) : null;
  const address = normalizeAddress(named.address);
  const kind = classifyAddress(address);
  // Old form of hold (RFC 2543): nothing is sent to it, so it needs no check.
  if (kind === 'unspecified') return { mode, signalling, isNatPlausible: false, unheard: 'withheld' };
  if (kind === 'multicast' || kind === 'broadcast') return '330 - "Audio is sent to unicast addresses only"';
  if (kind === 'metadata' || kind === 'invalid') return unreachable;
  if (named.port < lowestMediaPort) return `399 - "Audio is not sent to ports below ${lowestMediaPort}"`;
  if (signalling === null || signalling === address) {
    return { mode, signalling, isNatPlausible: false, unheard: 'allowed' };
  }
  const from = classifyAddress(signalling);
  if (!allowPrivate && !mayName(from, kind)) return unreachable;
  const isPublic = kind === 'public';
  const isHidden = !isPublic && from === 'public' && !allowPrivate;
  return { mode, signalling, isNatPlausible: !isPublic, unheard: isHidden ? 'withheld' : 'limited' };
}

/**
 * Returns whether a peer may name a media address of this kind, by the kind of its signalling address. A private
 * address behind a public one belongs to a phone behind a NAT. A NAT explains no loopback or link-local address: the
 * signalling must come from the same kind.
 */
function mayName(from: AddressKind, named: AddressKind): boolean {
  return named === 'loopback' || named === 'linkLocal' ? from === named : true;
}
