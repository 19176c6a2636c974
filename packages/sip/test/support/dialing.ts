import { systemClock, systemRandom } from '@va/core/adapter';
import { RtpLeg } from '@va/media';
import { silentLogger, VirtualClock } from '@va/testkit';
import { targetOf } from '../../src/dialog/dialog.ts';
import type { OutgoingEnd, OutgoingInvite, OutgoingInviteOptions } from '../../src/dialog/invite/outgoing-invite.ts';
import { RtpSession } from '../../src/media/rtp-session.ts';
import type { SipRequest } from '../../src/message/message.ts';
import { parseNameAddr } from '../../src/message/name-addr.ts';
import { UserAgent, type UserAgentOptions } from '../../src/user-agent.ts';
import { offerText, type RequestParts } from './messages.ts';
import { RawPeer } from './raw-peer.ts';

/** An answer to the local offer, with PCMU. */
export const answerSdp: string = offerText.replace('8 0 96', '0 96');

/** A local user agent that calls a peer under the control of a test, on a virtual clock. */
export class Dialing {
  readonly clock: VirtualClock;
  readonly agent: UserAgent;
  readonly peer: RawPeer;
  /** Events of the call in order. */
  readonly reported: (string | OutgoingEnd)[] = [];
  call: OutgoingInvite | null = null;
  leg: RtpLeg | null = null;
  #invite: SipRequest | null = null;

  private constructor(clock: VirtualClock, agent: UserAgent, peer: RawPeer) {
    this.clock = clock;
    this.agent = agent;
    this.peer = peer;
  }

  static async open(options: Partial<Omit<UserAgentOptions, 'clock'>> = {}): Promise<Dialing> {
    const clock = new VirtualClock();
    const agent = await UserAgent.open({
      clock,
      random: systemRandom,
      logger: silentLogger,
      listen: ['udp://127.0.0.1:0'],
      timers: { t1Ms: 20, t2Ms: 80, t4Ms: 100 },
      ...options,
    });
    return new Dialing(clock, agent, await RawPeer.open());
  }

  async close(): Promise<void> {
    this.peer.agreeToEveryBye();
    const closing = this.agent.close();
    // A peer that does not answer its BYE delays this by a second.
    await this.clock.advance(1_000);
    await closing;
    await this.peer.close();
  }

  /** Calls, and returns the INVITE that the peer received. */
  async dial(options: Partial<OutgoingInviteOptions> = {}): Promise<SipRequest> {
    const uri = options.uri ?? `sip:bob@127.0.0.1:${this.peer.port}`;
    const target = targetOf(uri);
    const flow = target && this.agent.flowTo(target);
    const [from, to] = [parseNameAddr('"Ann" <sip:ann@127.0.0.1>'), parseNameAddr(`<${uri}>`)];
    if (!flow || !from || !to) throw new Error('no flow to the peer');
    this.leg = await RtpLeg.open({ clock: systemClock, random: systemRandom, address: '127.0.0.1' });
    const media = new RtpSession({
      leg: this.leg,
      codecs: ['pcmu', 'pcma'],
      address: '127.0.0.1',
      random: systemRandom,
    });
    this.call = this.agent.invite(
      { uri, from, to, flow, media, ...options },
      {
        onProgress: (status) => this.reported.push(String(status)),
        onEarlyMedia: () => this.reported.push('early media'),
        onAnswered: () => this.reported.push('answered'),
        onEnd: (end) => this.reported.push(end),
      },
    );
    return this.requested('INVITE');
  }

  /** Calls, and answers as bob with those additional header lines. */
  async connect(headers: readonly string[] = [], options: Partial<OutgoingInviteOptions> = {}): Promise<SipRequest> {
    const invite = await this.dial(options);
    this.peer.respond(invite, 200, { toTag: 'bob', sdp: answerSdp, headers });
    await this.requested('ACK');
    return invite;
  }

  /** Waits for the next request of that method; after an INVITE, `request` belongs to its call. */
  async requested(method: string): Promise<SipRequest> {
    const request = await this.peer.requested(method);
    if (method === 'INVITE') this.#invite = request;
    return request;
  }

  /** Sends a request of the peer within the call, as bob. */
  request(parts: RequestParts): void {
    const headers = this.#invite?.headers;
    const fromTag = /tag=(\w+)/.exec(headers?.get('From') ?? '')?.[1] ?? '';
    this.peer.request({ callId: headers?.get('Call-ID') ?? '', fromTag: 'bob', toTag: fromTag, ...parts });
  }
}
