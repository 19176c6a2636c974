import type { Endpoint } from '@va/media';
import type { Via } from '../message/via.ts';
import { reachableAddress, type SipAddress, stripBrackets } from './address.ts';
import type { Flow } from './flow.ts';

/** As many peers as may have told us our address; the one heard of longest ago is forgotten first. */
const maxLearned = 1_024;

/**
 * What peers are told as our address: the configured one, else what this peer itself has seen our packets come from,
 * else the one of the socket.
 */
export class AdvertisedAddresses {
  readonly #publicAddress: string | undefined;
  readonly #learned = new Map<string, Endpoint>();

  constructor(publicAddress?: string) {
    this.#publicAddress = publicAddress;
  }

  of(bound: SipAddress, remote: Endpoint): Endpoint {
    if (this.#publicAddress !== undefined) return { address: this.#publicAddress, port: bound.port };
    const learned = this.#learned.get(learnedKey(bound, remote));
    return learned ?? { address: reachableAddress(bound.address, remote.address), port: bound.port };
  }

  /**
   * Takes from the answer to a request of ours where that came from, as its `received` and `rport` tell. A connection's
   * own port is nothing that others could reach, so only datagrams teach the port.
   * @see RFC 3261 §18.2.1, RFC 3581 §3
   */
  learn(flow: Flow, via: Via): void {
    const address = stripBrackets(via.params.get('received') ?? via.host);
    const rport = Number(via.params.get('rport') ?? '');
    const port = flow.transport === 'udp' && rport > 0 && rport < 65_536 ? rport : flow.advertised.port;
    if (address === flow.advertised.address && port === flow.advertised.port) return;
    if (this.#publicAddress !== undefined || flow.bound === undefined) return;
    const key = learnedKey(flow.bound, flow.remote);
    this.#learned.delete(key);
    this.#learned.set(key, { address, port });
    const [oldest] = this.#learned.keys();
    if (this.#learned.size > maxLearned && oldest !== undefined) this.#learned.delete(oldest);
  }
}

function learnedKey(bound: SipAddress, remote: Endpoint): string {
  return `${bound.transport}|${bound.port}|${remote.address}|${remote.port}`;
}
