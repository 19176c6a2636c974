import { BlockList, isIP, isIPv6 } from 'node:net';
import { VaError } from '@va/core';

/** Maximum number of hops read from `X-Forwarded-For`, from its end. */
const maxHops = 20;
/** Maximum number of characters read from `X-Forwarded-For`, from its end. */
const maxLength = 2_000;

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** The proxies in front of this process, whose `X-Forwarded-For` is trusted. */
export class TrustedProxies {
  readonly #blocks = new BlockList();

  /**
   * @param proxies addresses and CIDR blocks
   * @throws VaError `invalid_options`
   */
  constructor(proxies: readonly string[] = []) {
    for (const proxy of proxies) {
      const [address = '', prefix, ...rest] = proxy.split('/');
      const bits = prefix === undefined ? null : Number(prefix);
      const most = isIPv6(address) ? 128 : 32;
      const isBlock = bits === null || (/^\d+$/.test(prefix ?? '') && bits <= most);
      if (isIP(address) === 0 || !isBlock || rest.length > 0) {
        const expected = 'expected an IP address, or a CIDR block such as 10.0.0.0/8';
        throw new VaError('invalid_options', `trustedProxies: ${JSON.stringify(proxy)}: ${expected}`);
      }
      if (bits === null) this.#blocks.addAddress(address, familyOf(address));
      else this.#blocks.addSubnet(address, bits, familyOf(address));
    }
  }

  /**
   * Returns the address of the client: the last one of `X-Forwarded-For` that is not a trusted proxy's, if trusted
   * proxies wrote it; else the far end of the connection. A client can forge only the addresses before that one.
   *
   * @param remoteAddress far end of the connection; null or undefined if unknown
   * @returns null if the far end is unknown
   */
  clientOf(remoteAddress: string | null | undefined, forwardedFor: string | null | undefined): string | null {
    if (remoteAddress == null) return null;
    let client = normalized(remoteAddress);
    const hops = (forwardedFor ?? '').slice(-maxLength).split(',').slice(-maxHops).reverse();
    for (const hop of hops) {
      if (!this.#trusts(client)) break;
      const address = addressOf(hop.trim());
      if (address === null) break;
      client = address;
    }
    return client;
  }

  #trusts(address: string): boolean {
    return isIP(address) !== 0 && this.#blocks.check(address, familyOf(address));
  }
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

/** Reads an address, with a port or without; null for anything else. */
function addressOf(hop: string): string | null {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop;
  return isIP(bare) === 0 ? null : normalized(bare);
}

function normalized(address: string): string {
  return mapped.exec(address)?.[1] ?? address;
}
