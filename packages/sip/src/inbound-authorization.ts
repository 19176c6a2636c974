import { lookup } from 'node:dns/promises';
import type { InboundTrunk, TelephonyHost } from '@va/core';
import type { DigestServer } from './auth/digest-server.ts';
import type { IncomingInvite } from './dialog/incoming-invite.ts';
import { parseNameAddr } from './message/name-addr.ts';
import { parseUri } from './message/uri.ts';
import { toParty } from './party.ts';
import { stripBrackets } from './transport/address.ts';

/**
 * Who may call a number: `trunks` of its organization, known by their address or by the credentials of the trunk, or anybody
 * (`open`).
 */
export type InboundPolicy = 'trunks' | 'open';

interface Options {
  readonly policy: InboundPolicy;
  readonly host: TelephonyHost;
  readonly digest: DigestServer;
}

/** What a trunk's name stands for is asked again after this. */
const addressLifeMs = 60_000;

/** Decides whether a call may come in, before anything of it is known to the service. */
export class InboundAuthorization {
  readonly #options: Options;
  readonly #addresses = new Map<string, { readonly untilMs: number; readonly addresses: Promise<readonly string[]> }>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Whether the call may come in; one that may not is refused. */
  async admits(invite: IncomingInvite): Promise<boolean> {
    const { policy, host, digest } = this.#options;
    if (policy === 'open' || host.trunksOf === undefined) return true;
    const trunks = await host.trunksOf(dialedParty(invite).number);
    if (trunks === null) {
      invite.reject(404);
      return false;
    }
    for (const trunk of trunks) {
      if ((await this.#addressesOf(trunk)).includes(invite.flow.remote.address)) return !invite.isSettled;
    }
    if (trunks.every(({ username }) => username === null)) {
      invite.reject(403);
      return false;
    }
    const passwordOf = async (username: string): Promise<string | null> =>
      (await trunks.find((trunk) => trunk.username === username)?.password()) ?? null;
    return (await invite.requireDigest(digest, passwordOf)) !== null;
  }

  async #addressesOf({ address }: InboundTrunk): Promise<readonly string[]> {
    const { clock, logger } = this.#options.host;
    const host = stripBrackets(address.replace(/:\d+$/, ''));
    const known = this.#addresses.get(host);
    if (known !== undefined && clock.nowMs() < known.untilMs) return await known.addresses;
    const addresses = lookup(host, { all: true }).then(
      (found) => found.map((each) => each.address),
      (error: Error) => {
        logger.warn({ host, reason: error.message }, 'the address of a trunk could not be looked up');
        return [];
      },
    );
    this.#addresses.set(host, { untilMs: clock.nowMs() + addressLifeMs, addresses });
    return await addresses;
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
