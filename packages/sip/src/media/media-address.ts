import { isIP } from 'node:net';
import { type AddressKind, classifyAddress } from '@va/core';
import { type Endpoint, type MediaSourceMode, type MediaTrust, normalizeAddress } from '@va/media';

export interface MediaTrustOptions {
  readonly mode?: MediaSourceMode | undefined;
  readonly signalling?: string | null | undefined;
  /** Whether a far end may name private and loopback addresses whatever address it signals from. */
  readonly allowPrivate?: boolean | undefined;
}

/** Ports below are those of system services: RTP to them is an attack or a mistake. */
const lowestMediaPort = 1_024;

const unreachable = '399 - "The media address cannot be reached from here"';

/**
 * Judges the media address of a session description.
 * @returns the text of a Warning header where nothing may be sent there
 * @see RFC 3261 §20.43
 */
export function judgeMediaAddress(named: Endpoint, options: MediaTrustOptions = {}): MediaTrust | string {
  const { mode = 'latch', allowPrivate = false } = options;
  const signalling = options.signalling && isIP(options.signalling) ? normalizeAddress(options.signalling) : null;
  const address = normalizeAddress(named.address);
  const kind = classifyAddress(address);
  // On hold by the old way: nothing is sent, so that there is nothing to judge.
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

/** A private address behind a public one is that of a phone behind a NAT. No NAT explains the other local ones. */
function mayName(from: AddressKind, named: AddressKind): boolean {
  return named === 'loopback' || named === 'linkLocal' ? from === named : true;
}
