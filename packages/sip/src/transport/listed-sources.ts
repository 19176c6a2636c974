import { BlockList, isIP, isIPv6 } from 'node:net';
import { VaError } from '@va/core/adapter';

const maxRemembered = 1_000;

/** The addresses and blocks of a list. Answers are remembered: a check takes 10 µs, and each request makes several. */
export class ListedSources {
  readonly #list: BlockList;
  readonly #isEmpty: boolean;
  readonly #known = new Map<string, boolean>();

  /** @throws VaError `sip_source_guard` for an entry that is neither an address nor a block */
  constructor(entries: readonly string[]) {
    this.#list = blockListOf(entries);
    this.#isEmpty = entries.length === 0;
  }

  has(address: string): boolean {
    if (this.#isEmpty) return false;
    const known = this.#known.get(address);
    if (known !== undefined) return known;
    const isListed = this.#list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
    if (this.#known.size >= maxRemembered) this.#known.clear();
    this.#known.set(address, isListed);
    return isListed;
  }
}

function blockListOf(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits, ...rest] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    const width = family === 'ipv6' ? 128 : 32;
    const isBlock = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= width);
    if (isIP(address) === 0 || !isBlock || rest.length > 0) {
      const message = `sourceGuard.trusted has "${entry}": expected an IP address or a block such as 192.0.2.0/24.`;
      throw new VaError('sip_source_guard', message);
    }
    list.addSubnet(address, bits === undefined ? width : Number(bits), family);
  }
  return list;
}
