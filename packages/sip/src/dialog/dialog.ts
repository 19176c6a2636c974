import type { Envelope } from '../message/envelope.ts';
import { SipHeaders } from '../message/headers.ts';
import { noBody, type SipMessage, type SipRequest } from '../message/message.ts';
import { formatNameAddr, type NameAddr, parseNameAddrs, withTag } from '../message/name-addr.ts';
import { parseUri } from '../message/uri.ts';
import { defaultPorts, stripBrackets, toTransportName } from '../transport/address.ts';
import type { Flow } from '../transport/flow.ts';
import type { Target } from '../transport/transport-layer.ts';
import { isSips } from './contact.ts';
import { InOrder } from './in-order.ts';

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
  /** Flow on which the dialog was established. */
  readonly flow: Flow;
  readonly isSecure: boolean;
}

function readContact(message: SipMessage): string | null {
  return parseNameAddrs(message.headers.all('Contact'))?.[0]?.uri ?? null;
}

/**
 * Returns the first hop of a URI without the lookups of RFC 3263: a host name is kept as the address, and a missing
 * port is the default of the transport. Null for a `tel:` or malformed URI, or an unsupported transport.
 */
export function targetOf(uriText: string): Target | null {
  const uri = parseUri(uriText);
  if (uri === null || uri.scheme === 'tel' || uri.host === '') return null;
  const named = toTransportName(uri.params.get('transport') ?? 'udp');
  const transport = uri.scheme === 'sips' ? 'tls' : named;
  if (transport === null) return null;
  return { transport, address: stripBrackets(uri.host), port: uri.port ?? defaultPorts[transport] };
}

/** State of a dialog: tags, route set and sequence numbers. @see RFC 3261 §12 */
export class Dialog {
  readonly callId: string;
  readonly localTag: string;
  readonly remoteTag: string;
  readonly flow: Flow;
  /** True if the local Contact is a SIPS URI. */
  readonly isSecure: boolean;
  /** Routes of local requests, which may need DNS lookups, in the order of the requests. */
  readonly routes: InOrder = new InOrder();
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

  /** Creates the dialog that a local response to an INVITE establishes. @see RFC 3261 §12.1.1 */
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

  /** Creates the dialog that a peer's response to a local INVITE to `uri` establishes. @see RFC 3261 §12.1.2 */
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

  /** Creates a new request within the dialog. @see RFC 3261 §12.2.1.1 */
  createRequest(method: string): SipRequest {
    return this.#request(method, this.nextCSeq());
  }

  /** Returns the sequence number of the next local request. */
  nextCSeq(): number {
    this.#localCSeq += 1;
    return this.#localCSeq;
  }

  /** Creates the ACK for a 2xx, which has the sequence number of its INVITE. */
  createAck(inviteCSeq: number): SipRequest {
    return this.#request('ACK', inviteCSeq);
  }

  /** URI that the next request is sent to: the first route, else the remote target. */
  get nextHop(): string {
    return this.#firstRoute ?? this.#remoteTarget;
  }

  /** Next hop of the next request, without the lookups of RFC 3263; null as for {@link targetOf}. */
  get target(): Target | null {
    return targetOf(this.nextHop);
  }

  /** Returns whether a request of the peer has a higher sequence number than all before; if so, stores it. */
  acceptCSeq(number: number): boolean {
    if (number <= this.#remoteCSeq) return false;
    this.#remoteCSeq = number;
    return true;
  }

  /**
   * Updates the remote target from the Contact of a target refresh, such as a re-INVITE or its 2xx.
   * @see RFC 3261 §12.2.1.2
   */
  refreshTarget(message: SipMessage): void {
    this.#remoteTarget = readContact(message) ?? this.#remoteTarget;
  }

  /**
   * Recomputes the route set from the 2xx to a local INVITE, which overrides that of a provisional response.
   * @see RFC 3261 §13.2.2.4
   */
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
    // A strict router expects itself in the Request-URI and the remote target as the last route.
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
