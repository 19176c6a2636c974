import type { SipMessage } from './message/message.ts';
import { parseNameAddrs } from './message/name-addr.ts';
import { parseUri } from './message/uri.ts';
import { type PeerAddress, peerOf } from './resolve/peer-resolver.ts';

/** A target named by a redirection. */
interface RedirectTarget {
  readonly uri: string;
  readonly peer: PeerAddress;
}

interface RedirectOptions {
  /** Request-URI of the call. */
  readonly uri: string;
  readonly trunk: PeerAddress;
  /** Allowed hosts beside the trunk's own, in lower case. */
  readonly hosts: ReadonlySet<string>;
}

/** Maximum number of targets of one call, including the first. */
const maxTargets = 5;
/** Maximum number of Contacts that are read. */
const maxContacts = 20;

/**
 * Parses the Contact URIs of a redirection, highest `q` first.
 * @see RFC 3261 §8.1.3.4, §20.10
 */
export function redirectContacts(response: SipMessage): string[] {
  const contacts = parseNameAddrs(response.headers.all('Contact')) ?? [];
  const qOf = (text: string | undefined): number => {
    const q = Number(text ?? 1);
    return Number.isFinite(q) ? Math.min(1, Math.max(0, q)) : 0;
  };
  return contacts
    .slice(0, maxContacts)
    .map(({ uri, params }) => ({ uri, q: qOf(params.get('q')) }))
    .sort((a, b) => b.q - a.q)
    .map(({ uri }) => uri);
}

/**
 * Targets named by the redirections of one call: each is tried once, at most five in total, and only on the trunk's own
 * host or a host that the operator lists.
 */
export class RedirectTargets {
  readonly #options: RedirectOptions;
  readonly #seen: Set<string>;
  #waiting: RedirectTarget[] = [];
  #count = 1;

  constructor(options: RedirectOptions) {
    this.#options = options;
    this.#seen = new Set([options.uri.toLowerCase()]);
  }

  /** Adds the allowed targets in front of those of earlier redirections. */
  add(contacts: readonly string[]): void {
    const allowed = contacts.map((uri) => this.#allowed(uri)).filter((target) => target !== null);
    this.#waiting = [...allowed, ...this.#waiting];
  }

  /** Returns the next target; null when there is none, or the maximum was tried. */
  next(): RedirectTarget | null {
    const target = this.#count < maxTargets ? this.#waiting.shift() : undefined;
    if (target === undefined) return null;
    this.#count += 1;
    return target;
  }

  #allowed(contact: string): RedirectTarget | null {
    const { uri: first, trunk, hosts } = this.#options;
    // The part after the `?` would become header fields of the new request, such as Replaces.
    const uri = contact.split('?', 1)[0] ?? '';
    const [parsed, peer] = [parseUri(uri), peerOf(uri)];
    if (parsed === null || peer === null || parsed.params.has('method') || parsed.params.has('maddr')) return null;
    if (/^sips:/i.test(first) && parsed.scheme !== 'sips') return null;
    const host = peer.host.toLowerCase();
    const isOwn = host === trunk.host.toLowerCase();
    if ((!isOwn && !hosts.has(host)) || this.#seen.has(uri.toLowerCase())) return null;
    this.#seen.add(uri.toLowerCase());
    const isPlain = peer.port === null && peer.transport === null && peer.secure !== true;
    return { uri, peer: isOwn && isPlain ? trunk : { ...peer, transport: peer.transport ?? trunk.transport } };
  }
}
