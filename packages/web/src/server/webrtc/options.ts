import { isIP } from 'node:net';
import { VaError } from '@va/core/adapter';

/** Settings of WebRTC. */
export interface WebRtcOptions {
  /**
   * Port of the media of all calls, for UDP and TCP; 0 takes a free one. Browsers have to reach it directly, without
   * the proxy in front of the API. 7882 by default.
   */
  readonly port?: number;
  /** Local IP address to bind; `0.0.0.0` by default, and `::` for IPv6 too. */
  readonly address?: string;
  /**
   * IP addresses at which browsers reach the port, such as the public one of a machine behind a NAT, the best one
   * first; at most 8. By default the bound address, or all addresses of this machine.
   */
  readonly announce?: readonly string[];
  /** Takes TCP connections on the same port, for networks without UDP; true by default. */
  readonly tcp?: boolean;
  /**
   * Codecs in any order: browsers prefer Opus. `opus` needs the package `@discordjs/opus`, and is left out without it.
   * By default both.
   */
  readonly codecs?: readonly ('pcmu' | 'opus')[];
}

export const defaultWebRtcPort = 7_882;
const maxAnnounced = 8;

/** @throws VaError `invalid_options` */
export function checkWebRtcOptions({
  port = defaultWebRtcPort,
  address = '0.0.0.0',
  announce = [],
  codecs,
}: WebRtcOptions): void {
  const fail = (message: string): never => {
    throw new VaError('invalid_options', `webCalls({ webrtc }): ${message}`);
  };
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    fail(`port ${port} is invalid: expected an integer from 0 to 65535.`);
  const wrong = [address, ...announce].find((each) => isIP(each) === 0);
  if (wrong !== undefined) fail(`${JSON.stringify(wrong)} is not an IP address: host names are not accepted.`);
  if (announce.length > maxAnnounced)
    fail(`announce has ${announce.length} addresses: expected at most ${maxAnnounced}.`);
  if (codecs?.length === 0) fail('codecs is empty: expected at least one codec, or omit it for the defaults.');
}
