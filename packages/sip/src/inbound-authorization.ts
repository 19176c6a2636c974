import type { DialedNumber, InboundTrunk, TelephonyHost } from '@va/core';
import type { DigestServer } from './auth/digest-server.ts';
import type { IncomingInvite } from './dialog/incoming-invite.ts';
import { parseNameAddr } from './message/name-addr.ts';
import { parseUri } from './message/uri.ts';
import { toParty } from './party.ts';
import type { PeerResolver } from './resolve/peer-resolver.ts';
import { trunkPeer } from './trunk/trunk-peer.ts';

/**
 * Who may call a number: `trunks` of its organization, known by their address or by the credentials of the trunk, or anybody
 * (`open`).
 */
export type InboundPolicy = 'trunks' | 'open';

/** A call that may come in. */
export interface Admission {
  /** The number as the host has found it; undefined where it was not asked. */
  readonly dialed: DialedNumber | undefined;
  /** The trunk that the call comes through; undefined where nobody was asked. */
  readonly trunk?: InboundTrunk;
}

interface Options {
  readonly policy: InboundPolicy;
  readonly host: TelephonyHost;
  readonly digest: DigestServer;
  /** Asks where trunks are; what it knows it keeps as long as the DNS says. */
  readonly peers: Pick<PeerResolver, 'resolve'>;
}

/** Decides whether a call may come in, before anything of it is known to the service. */
export class InboundAuthorization {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** What is known of a call that may come in; null where it may not, and is refused. */
  async admit(invite: IncomingInvite): Promise<Admission | null> {
    const { policy, host } = this.#options;
    if (policy === 'open' || host.numberOf === undefined) return { dialed: undefined };
    const dialed = await host.numberOf(dialedParty(invite).number);
    if (dialed === null) {
      invite.reject(404);
      return null;
    }
    const trunk = await this.#trunkOf(dialed.trunks, invite);
    return trunk === null ? null : { dialed, trunk };
  }

  /** The trunk that a call comes through; null where it comes through none, and is refused. */
  async #trunkOf(trunks: readonly InboundTrunk[], invite: IncomingInvite): Promise<InboundTrunk | null> {
    const { digest, peers } = this.#options;
    for (const trunk of trunks) {
      const peer = trunkPeer(trunk.address, null);
      const places = peer === null ? [] : await peers.resolve(peer);
      if (places.some((place) => place.address === invite.flow.remote.address)) return invite.isSettled ? null : trunk;
    }
    if (trunks.every(({ username }) => username === null)) {
      invite.reject(403);
      return null;
    }
    const passwordOf = async (username: string): Promise<string | null> =>
      (await trunks.find((trunk) => trunk.username === username)?.password()) ?? null;
    const username = await invite.requireDigest(digest, passwordOf);
    return trunks.find((trunk) => username !== null && trunk.username === username) ?? null;
  }
}

/**
 * Whom the network wants here is in the Request-URI; To is whom the caller dialed, and names no number of ours after a
 * redirection. Trunks that address us by host alone put the number into To.
 */
export function dialedParty({
  envelope,
  request,
}: Pick<IncomingInvite, 'envelope' | 'request'>): ReturnType<typeof toParty> {
  const dialed = parseUri(request.uri)?.user ? parseNameAddr(`<${request.uri}>`) : null;
  return toParty(dialed === null ? envelope.to : { ...dialed, displayName: envelope.to.displayName });
}
