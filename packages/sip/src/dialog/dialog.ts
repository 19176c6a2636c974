import type { Envelope } from '../message/envelope.ts';
import { SipHeaders } from '../message/headers.ts';
import { noBody, type SipMessage, type SipRequest } from '../message/message.ts';
import { formatNameAddr, type NameAddr, parseNameAddrs, withTag } from '../message/name-addr.ts';
import { parseUri } from '../message/uri.ts';
import { defaultPorts, stripBrackets, toTransportName } from '../transport/address.ts';
import type { Flow } from '../transport/flow.ts';
import type { Target } from '../transport/transport-layer.ts';
import { isSips } from './contact.ts';

interface DialogState {
  readonly callId: string;
  readonly localTag: string;
  readonly remoteTag: string;
  readonly local: NameAddr;
  readonly remote: NameAddr;
  readonly routeSet: readonly string[];
  readonly remoteTarget: string;
  readonly localCSeq: number;
  readonly remoteCSeq: number;
  /** Where the dialog was established. */
  readonly flow: Flow;
  readonly isSecure: boolean;
}

function readContact(message: SipMessage): string | null {
  return parseNameAddrs(message.headers.all('Contact'))?.[0]?.uri ?? null;
}

/** The first hop of a URI, without the lookups of RFC 3263. Null when it leads nowhere we can go. */
export function targetOf(uriText: string): Target | null {
  const uri = parseUri(uriText);
  if (uri === null || uri.scheme === 'tel' || uri.host === '') return null;
  const named = toTransportName(uri.params.get('transport') ?? 'udp');
  const transport = uri.scheme === 'sips' ? 'tls' : named;
  if (transport === null) return null;
  return { transport, address: stripBrackets(uri.host), port: uri.port ?? defaultPorts[transport] };
}

/** What two user agents know of each other: names, routes and counters. @see RFC 3261 §12 */
export class Dialog {
  readonly callId: string;
  readonly localTag: string;
  readonly remoteTag: string;
  readonly flow: Flow;
  /** Whether our Contact is a SIPS URI. */
  readonly isSecure: boolean;
  readonly #local: NameAddr;
  readonly #remote: NameAddr;
  #routeSet: readonly string[];
  #remoteTarget: string;
  #localCSeq: number;
  #remoteCSeq: number;

  private constructor(state: DialogState) {
    this.callId = state.callId;
    this.localTag = state.localTag;
    this.remoteTag = state.remoteTag;
    this.flow = state.flow;
    this.isSecure = state.isSecure;
    this.#local = state.local;
    this.#remote = state.remote;
    this.#routeSet = state.routeSet;
    this.#remoteTarget = state.remoteTarget;
    this.#localCSeq = state.localCSeq;
    this.#remoteCSeq = state.remoteCSeq;
  }

  /** The dialog that our answer to an INVITE establishes. @see RFC 3261 §12.1.1 */
  static asServer(invite: SipRequest, envelope: Envelope, flow: Flow, localTag: string): Dialog {
    const routeSet = invite.headers.list('Record-Route');
    const contact = readContact(invite);
    const via = routeSet.length > 0 ? parseNameAddrs(routeSet.slice(0, 1))?.[0]?.uri : contact;
    return new Dialog({
      callId: envelope.callId,
      localTag,
      remoteTag: envelope.fromTag,
      local: withTag(envelope.to, localTag),
      remote: envelope.from,
      routeSet,
      remoteTarget: contact ?? envelope.from.uri,
      localCSeq: 0,
      remoteCSeq: envelope.cseq.number,
      flow,
      isSecure: isSips(invite.uri) || isSips(via ?? undefined),
    });
  }

  /** The dialog that a peer's answer to our INVITE to `uri` establishes. @see RFC 3261 §12.1.2 */
  static asClient(uri: string, response: SipMessage, envelope: Envelope, flow: Flow): Dialog {
    return new Dialog({
      callId: envelope.callId,
      localTag: envelope.fromTag,
      remoteTag: envelope.toTag,
      local: envelope.from,
      remote: envelope.to,
      routeSet: response.headers.list('Record-Route').reverse(),
      remoteTarget: readContact(response) ?? uri,
      localCSeq: envelope.cseq.number,
      remoteCSeq: -1,
      flow,
      isSecure: isSips(uri),
    });
  }

  static key(callId: string, localTag: string, remoteTag: string): string {
    return `${callId}|${localTag}|${remoteTag}`;
  }

  get key(): string {
    return Dialog.key(this.callId, this.localTag, this.remoteTag);
  }

  /** A new request of ours within the dialog. @see RFC 3261 §12.2.1.1 */
  createRequest(method: string): SipRequest {
    return this.#request(method, this.nextCSeq());
  }

  /** The number of our next request. */
  nextCSeq(): number {
    this.#localCSeq += 1;
    return this.#localCSeq;
  }

  /** The ACK for a 2xx: it has the number of its INVITE. */
  createAck(inviteCSeq: number): SipRequest {
    return this.#request('ACK', inviteCSeq);
  }

  /** The URI that the next request goes to. */
  get nextHop(): string {
    return this.#firstRoute ?? this.#remoteTarget;
  }

  /** Where the next request goes, without the lookups of RFC 3263; null when it leads nowhere we can go. */
  get target(): Target | null {
    return targetOf(this.nextHop);
  }

  /** Whether a request of the peer is newer than all before; if so it is the newest from now on. */
  acceptCSeq(number: number): boolean {
    if (number <= this.#remoteCSeq) return false;
    this.#remoteCSeq = number;
    return true;
  }

  /** The Contact of a re-INVITE or its 2xx moves the peer. @see RFC 3261 §12.2.1.2 */
  refreshTarget(message: SipMessage): void {
    this.#remoteTarget = readContact(message) ?? this.#remoteTarget;
  }

  /** The 2xx to our INVITE has the last word on the way that a provisional response began. @see RFC 3261 §13.2.2.4 */
  confirm(response: SipMessage): void {
    this.#routeSet = response.headers.list('Record-Route').reverse();
    this.refreshTarget(response);
  }

  get #firstRoute(): string | undefined {
    return parseNameAddrs(this.#routeSet.slice(0, 1))?.[0]?.uri;
  }

  #request(method: string, cseq: number): SipRequest {
    const first = this.#firstRoute;
    const strict = first !== undefined && !parseUri(first)?.params.has('lr');
    // A strict router expects itself as the Request-URI and the real target as the last route.
    const routes = strict ? [...this.#routeSet.slice(1), `<${this.#remoteTarget}>`] : this.#routeSet;
    const headers = SipHeaders.of([
      ['Max-Forwards', '70'],
      ['From', formatNameAddr(this.#local)],
      ['To', formatNameAddr(this.#remote)],
      ['Call-ID', this.callId],
      ['CSeq', `${cseq} ${method}`],
      ...routes.map((route): [string, string] => ['Route', route]),
    ]);
    return { kind: 'request', method, uri: strict ? first : this.#remoteTarget, headers, body: noBody };
  }
}
