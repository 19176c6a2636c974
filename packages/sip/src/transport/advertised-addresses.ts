import type { Endpoint } from '@va/media';
import type { Via } from '../message/via.ts';
import { reachableAddress, type SipAddress, stripBrackets } from './address.ts';
import type { Flow } from './flow.ts';

/** Maximum number of peers whose reported source address is kept; the least recently reported one is dropped first. */
const maxLearned = 1_024;

/**
 * Determines the local address that a peer is given: the configured one, else the source address that this peer has
 * reported, else that of the socket.
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
   * Learns the local address from `received` and `rport` in the response to a local request. The port is learned over
   * UDP only, because a peer cannot connect to the source port of an outgoing connection.
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
