import type { DialedNumber, InboundTrunk, Party, TelephonyHost } from '@va/core/adapter';
import type { DigestServer } from './auth/digest-server.ts';
import { dialedParties } from './dialed-parties.ts';
import type { IncomingInvite } from './dialog/invite/incoming-invite.ts';
import type { PeerResolver } from './resolve/peer-resolver.ts';
import { trunkPeer } from './trunk/trunk-peer.ts';

/**
 * Callers that may call a number: `trunks` of its organization, identified by their address or by the credentials of
 * the trunk, or anybody (`open`).
 */
export type InboundPolicy = 'trunks' | 'open';

/** An authorized call. */
export interface Admission {
  readonly to: Party;
  /**
   * The registered number that was called; undefined if the host looks up no numbers, none matches, or several match in
   * part.
   */
  readonly dialed: DialedNumber | undefined;
  /** The trunk of the call; undefined when anybody may call. */
  readonly trunk?: InboundTrunk;
  /**
   * True if the call comes from a trunk's address or with its credentials: limits of untrusted sources do not apply.
   */
  readonly isTrusted: boolean;
}

interface InboundAuthorizationOptions {
  readonly policy: InboundPolicy;
  readonly host: TelephonyHost;
  readonly digest: DigestServer;
  /** Resolves trunks; records are cached for their time to live. */
  readonly peers: Pick<PeerResolver, 'resolve'>;
}

/**
 * Registered numbers that match a candidate for the called party; without a match, the first candidate and no numbers.
 */
interface DialedNumbers {
  readonly party: Party;
  readonly numbers: readonly DialedNumber[];
}

interface TrunkCandidate {
  readonly number: DialedNumber;
  readonly trunk: InboundTrunk;
}

const maxKnownSources = 1_024;

/** Decides whether a call is accepted, before it is passed to the service. */
export class InboundAuthorization {
  readonly #options: InboundAuthorizationOptions;
  /** Addresses from which a trunk has called. */
  readonly #knownSources = new Set<string>();

  constructor(options: InboundAuthorizationOptions) {
    this.#options = options;
  }

  /** Returns null if the call was rejected as not authorized, or has ended meanwhile. */
  async admit(invite: IncomingInvite): Promise<Admission | null> {
    const { policy, host } = this.#options;
    if (host.numbersOf === undefined) return { to: dialedParties(invite)[0], dialed: undefined, isTrusted: false };
    const { party, numbers } = await this.#lookUp(invite);
    const candidates = numbers.flatMap((number) => number.trunks.map((trunk) => ({ number, trunk })));
    if (policy === 'open') {
      const isTrusted = (await this.#byAddress(candidates, invite)) !== null;
      return invite.isSettled ? null : { ...admission(party, pickNumber(numbers)), isTrusted };
    }
    const candidate = (await this.#byAddress(candidates, invite)) ?? (await this.#byDigest(candidates, invite));
    if (candidate === null || invite.isSettled) return null;
    this.#trustSource(invite.flow.remote.address);
    return { ...admission(party, candidate.number), trunk: candidate.trunk, isTrusted: true };
  }

  /** Looks up the candidates for the called party in order until one matches registered numbers. */
  async #lookUp(invite: IncomingInvite): Promise<DialedNumbers> {
    const parties = dialedParties(invite);
    const tried = new Set<string>();
    for (const party of parties) {
      if (tried.has(party.number)) continue;
      tried.add(party.number);
      const numbers = (await this.#options.host.numbersOf?.(party.number)) ?? [];
      if (numbers.length > 0) return { party, numbers };
    }
    return { party: parties[0], numbers: [] };
  }

  async #byAddress(candidates: readonly TrunkCandidate[], invite: IncomingInvite): Promise<TrunkCandidate | null> {
    const matching: TrunkCandidate[] = [];
    for (const candidate of candidates) {
      const peer = trunkPeer(candidate.trunk.address, null);
      const places = peer === null ? [] : await this.#options.peers.resolve(peer);
      if (places.some((place) => place.address === invite.flow.remote.address)) matching.push(candidate);
    }
    return pickCandidate(matching);
  }

  /**
   * Authenticates the caller by the credentials of a trunk. Returns null after rejecting the call with a challenge or
   * 404, or if it has ended meanwhile. An unknown source gets the same challenge whatever number it dials, so that it
   * cannot find out which numbers are registered.
   */
  async #byDigest(candidates: readonly TrunkCandidate[], invite: IncomingInvite): Promise<TrunkCandidate | null> {
    const withUser = candidates.filter(({ trunk }) => trunk.username !== null);
    if (withUser.length === 0 && this.#knownSources.has(invite.flow.remote.address)) {
      invite.reject(404);
      return null;
    }
    const username = await invite.requireDigest(this.#options.digest, async (name) => {
      const candidate = withUser.find(({ trunk }) => trunk.username === name);
      return (await candidate?.trunk.password()) ?? null;
    });
    if (username === null) return null;
    const candidate = pickCandidate(withUser.filter(({ trunk }) => trunk.username === username));
    if (candidate === null) invite.reject(404);
    return candidate;
  }

  #trustSource(address: string): void {
    this.#knownSources.delete(address);
    this.#knownSources.add(address);
    const [oldest] = this.#knownSources;
    if (this.#knownSources.size > maxKnownSources && oldest !== undefined) this.#knownSources.delete(oldest);
  }
}

function admission(party: Party, number: DialedNumber | null): Pick<Admission, 'to' | 'dialed'> {
  return { to: number === null ? party : { ...party, number: number.number }, dialed: number ?? undefined };
}

/** Returns the exact match, else the only number; null if there is none, or several match in part. */
function pickNumber(numbers: readonly DialedNumber[]): DialedNumber | null {
  const exact = numbers.find(({ isExact }) => isExact);
  return exact ?? (numbers.length === 1 ? (numbers[0] ?? null) : null);
}

/** Returns the first trunk of the number that `pickNumber` selects. */
function pickCandidate(candidates: readonly TrunkCandidate[]): TrunkCandidate | null {
  const number = pickNumber([...new Set(candidates.map((candidate) => candidate.number))]);
  return candidates.find((candidate) => candidate.number === number) ?? null;
}
