import {
  type DialFailure,
  type DialRequest,
  type LegEnd,
  type MediaLeg,
  type OutgoingCall,
  toError,
  VaError,
} from '@va/core';
import type { OutgoingEnd, OutgoingInvite } from './dialog/outgoing-invite.ts';
import { type NameAddr, parseNameAddr } from './message/name-addr.ts';
import { referTransfer } from './refer-transfer.ts';
import type { RtpSession } from './rtp/rtp-session.ts';
import { defaultPorts } from './transport/address.ts';
import type { Flow } from './transport/flow.ts';
import type { Target } from './transport/transport-layer.ts';
import type { UserAgent } from './user-agent.ts';

/** What a status says of the person who was called; every other one is up to the network. @see RFC 3261 §21 */
const meanings: Readonly<Record<number, DialFailure>> = {
  404: 'invalid-destination',
  408: 'no-answer',
  480: 'no-answer',
  484: 'invalid-destination',
  486: 'busy',
  487: 'no-answer',
  600: 'busy',
  603: 'declined',
  604: 'invalid-destination',
  607: 'declined',
  608: 'declined',
};

export interface SipOutgoingCallOptions {
  readonly agent: UserAgent;
  readonly request: DialRequest;
  /** Binds the RTP socket for a call that goes out by this flow. */
  readonly openMedia: (flow: Flow) => Promise<RtpSession>;
}

/** A call through a trunk, as the service sees it. */
export class SipOutgoingCall implements OutgoingCall {
  readonly id: string;
  readonly #options: SipOutgoingCallOptions;
  readonly #answer: Promise<MediaLeg>;
  #resolve: (leg: MediaLeg) => void = () => {};
  #reject: (error: Error) => void = () => {};
  #invite: OutgoingInvite | null = null;
  #isAnswered = false;
  #end: LegEnd | null = null;
  #onEnd: ((end: LegEnd) => void) | null = null;

  constructor(options: SipOutgoingCallOptions) {
    this.id = options.request.callId;
    this.#options = options;
    this.#answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Whoever waits for it hears of the failure; one who does not wait must not bring the process down.
    this.#answer.catch(() => {});
    void this.#dial();
  }

  whenAnswered(): Promise<MediaLeg> {
    return this.#answer;
  }

  hangup(): void {
    if (this.#invite === null) this.#finish({ cause: 'local-hangup' });
    else this.#invite.hangup();
  }

  onEnd(listener: (end: LegEnd) => void): void {
    this.#onEnd = listener;
    if (this.#end !== null) listener(this.#end);
  }

  async #dial(): Promise<void> {
    try {
      const { agent, request, openMedia } = this.#options;
      const route = routeOf(request);
      const flow = agent.flowTo(route.target);
      if (flow === null) throw new Error(`No ${request.trunk.transport} socket of this address family is open.`);
      const media = await openMedia(flow);
      if (this.#end !== null) {
        media.close();
        return;
      }
      const onAnswered = (): void => {
        this.#isAnswered = true;
        media.leg.transfer = referTransfer({
          session: () => this.#invite?.session ?? null,
          referredBy: route.from.uri,
          host: request.trunk.address,
        });
        this.#resolve(media.leg);
      };
      this.#invite = agent.invite(
        { ...route, flow, media, credentials: request.trunk.credentials ?? undefined },
        { onProgress() {}, onAnswered, onEnd: (end) => this.#finish(this.#legEnd(end)) },
      );
    } catch (thrown) {
      this.#finish({ cause: 'not-answered', why: 'failed', message: toError(thrown).message });
    }
  }

  #legEnd(end: OutgoingEnd): LegEnd {
    if (end.cause === 'refused') {
      return { cause: 'not-answered', why: meanings[end.status] ?? 'failed', message: `${end.status} ${end.reason}` };
    }
    if (end.cause === 'transport-error' && !this.#isAnswered) {
      return { cause: 'not-answered', why: 'failed', message: end.message };
    }
    return end;
  }

  #finish(end: LegEnd): void {
    if (this.#end !== null) return;
    this.#end = end;
    this.#onEnd?.(end);
    this.#reject(new VaError('call_over', 'The call ended before it was answered. There is no one to talk with.'));
  }
}

interface Route {
  readonly uri: string;
  readonly from: NameAddr;
  readonly to: NameAddr;
  readonly target: Target;
  readonly headers: readonly (readonly [string, string])[];
}

/**
 * A number is dialed at the trunk; a SIP address is asked of the trunk as it is. The caller's number is in From, and
 * asserted (RFC 3325) for providers who know us by our credentials or address.
 */
function routeOf({ destination, callerNumber, trunk }: DialRequest): Route {
  const { address: trunkAddress, transport } = trunk;
  const [, host = '', port] = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(trunkAddress) ?? [];
  const suffix = transport === 'udp' ? '' : `;transport=${transport}`;
  const uri = /^sips?:/i.test(destination) ? destination : `sip:${destination}@${trunkAddress}${suffix}`;
  const from = parseNameAddr(`<sip:${callerNumber}@${host}>`);
  const to = parseNameAddr(`<${uri}>`);
  if (host === '' || from === null || to === null)
    throw new Error(`"${destination}" cannot be dialed through ${trunkAddress}.`);
  const target = {
    address: host.replace(/^\[|\]$/g, ''),
    port: port === undefined ? defaultPorts[transport] : Number(port),
    transport,
  };
  return { uri, from, to, target, headers: [['P-Asserted-Identity', `<sip:${callerNumber}@${host}>`]] };
}
