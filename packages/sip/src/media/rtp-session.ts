import {
  type Agreement,
  type CodecName,
  type DtmfDigit,
  isUnspecified,
  type MediaSourceMode,
  type MediaTrust,
  type NegotiatedLeg,
  offeredSuites,
  type RandomBytes,
  type SrtpSuiteName,
} from '@va/media';
import type { AnswerOutcome, SessionMedia } from '../dialog/session/session-media.ts';
import { agree, disagreement, whileHeld } from '../sdp/agreement.ts';
import {
  acceptSecurity,
  answerSecurity,
  type ChooseSecurity,
  LocalSrtpKeys,
  offersKeys,
  type SrtpMode,
} from '../sdp/crypto.ts';
import { parseSessionDescription, type SessionDescription } from '../sdp/session-description.ts';
import { type Origin, writeAnswer, writeOffer } from '../sdp/write.ts';
import { isSameFamily } from './local-media.ts';
import { checkMediaAddress } from './media-address.ts';

/** Options of an {@link RtpSession}. */
export interface RtpSessionOptions<Leg extends NegotiatedLeg = NegotiatedLeg> {
  readonly leg: Leg;
  /** Codecs of local offers, in order of preference. */
  readonly codecs: readonly CodecName[];
  /** Codecs for answers to remote offers (`agreeOnOffer`). Default: any of `codecs`, in the offer's order. */
  readonly answers?: CodecPreference | undefined;
  /** Address written in local descriptions, to which the peer sends. */
  readonly address: string;
  readonly random: RandomBytes;
  /** Default: `offered`. */
  readonly srtp?: SrtpMode | undefined;
  /** SRTP suites of local offers, in order of preference. Default: all that are supported. */
  readonly suites?: readonly SrtpSuiteName[] | undefined;
  /** Source check of incoming packets. Default: `latch`. */
  readonly mediaSource?: MediaSourceMode | undefined;
  /** True if the peer may name private addresses, regardless of its signalling address. */
  readonly allowPrivateMedia?: boolean | undefined;
  /** True if the signalling is encrypted. If so, local offers contain SRTP keys unless encryption is off. */
  readonly secureSignalling?: boolean | undefined;
}

/** Groups of codecs in order of preference; within a group the peer's order decides. */
export type CodecPreference = readonly (readonly CodecName[])[];

/**
 * Selects the codecs for an answer: those of the first group that has a codec in the offer, in the offer's order.
 * @see RFC 3264 §6.1
 */
export function agreeOnOffer(
  offer: SessionDescription,
  preference: CodecPreference,
  choose: ChooseSecurity,
): Agreement | null {
  for (const group of preference) {
    const agreement = agree(offer, group, choose);
    if (agreement !== null) return agreement;
  }
  return null;
}

/** The audio stream of a call: negotiated by SDP, carried by RTP. */
export class RtpSession<Leg extends NegotiatedLeg = NegotiatedLeg> implements SessionMedia {
  readonly leg: Leg;
  readonly #options: RtpSessionOptions<Leg>;
  readonly #sessionId: number;
  readonly #srtpKeys: LocalSrtpKeys;
  #version = 0;
  #held = false;
  #signalling: string | null = null;
  /** Codecs of the last local offer. Each answer may select any of them: a forked call has several answers. */
  #offered: readonly CodecName[] = [];
  #offeredSuites: readonly SrtpSuiteName[] = [];

  constructor(options: RtpSessionOptions<Leg>) {
    this.leg = options.leg;
    this.#options = options;
    this.#srtpKeys = new LocalSrtpKeys(options.random);
    const [a = 0, b = 0, c = 0, d = 0] = options.random(4);
    this.#sessionId = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  }

  offer(): Uint8Array {
    const { agreement } = this.leg;
    this.#offered = agreement === null ? this.#options.codecs : [agreement.codec.name];
    this.#offeredSuites = this.#suites(agreement);
    const srtpKeys = this.#offeredSuites.map((suite) => ({ suite, key: this.#srtpKeys.keyFor(suite) }));
    const direction = this.#held ? 'sendonly' : 'sendrecv';
    return writeOffer(this.#nextOrigin(), { codecs: this.#offered, direction, srtpKeys });
  }

  answer(offer: Uint8Array, signalling?: string): AnswerOutcome {
    const description = parseSessionDescription(offer);
    if (description === null) return { ok: false, warning: unreadable };
    const agreed = this.#agreeOn(description);
    if (agreed === null) return { ok: false, warning: disagreement(description) };
    const trust = this.#trust(agreed, signalling);
    if (typeof trust === 'string') return { ok: false, warning: trust };
    const agreement = this.#held ? whileHeld(agreed) : agreed;
    this.leg.apply(agreement, [], trust);
    return { ok: true, answer: writeAnswer(this.#nextOrigin(), description, agreement) };
  }

  accept(answer: Uint8Array, signalling?: string): boolean {
    const description = parseSessionDescription(answer);
    const choose = acceptSecurity(this.#offeredSuites, this.#srtpKeys);
    const agreement = description && agree(description, this.#offered, choose);
    if (agreement === null || agreement.mediaIndex !== 0) return false;
    const trust = this.#trust(agreement, signalling);
    if (typeof trust === 'string') return false;
    this.leg.apply(agreement, this.#offered, trust);
    return true;
  }

  hold(held: boolean): void {
    this.#held = held;
  }

  receiveDigit(digit: DtmfDigit): void {
    this.leg.receiveDigit(digit);
  }

  close(): void {
    this.leg.close();
  }

  /** A running call keeps its codec if the new offer contains it. */
  #agreeOn(offer: SessionDescription): Agreement | null {
    const choose = answerSecurity(this.#options.srtp ?? 'offered', this.#srtpKeys);
    const current = this.leg.agreement?.codec.name;
    const same = current === undefined ? null : agree(offer, [current], choose);
    return same ?? agreeOnOffer(offer, this.#options.answers ?? [this.#options.codecs], choose);
  }

  #trust({ remote }: Agreement, signalling: string | undefined): MediaTrust | string {
    this.#signalling = signalling ?? this.#signalling;
    const { address, mediaSource: mode, allowPrivateMedia: allowPrivate } = this.#options;
    if (!isUnspecified(remote.address) && !isSameFamily(remote.address, address)) return otherFamily;
    return checkMediaAddress(remote, { mode, allowPrivate, signalling: this.#signalling });
  }

  /** A running call offers its present encryption again: none, or the one suite in use. */
  #suites(agreement: Agreement | null): readonly SrtpSuiteName[] {
    if (agreement !== null) return agreement.security === null ? [] : [agreement.security.suite];
    const { srtp = 'offered', secureSignalling = false, suites = offeredSuites } = this.#options;
    return offersKeys(srtp, secureSignalling) ? suites : [];
  }

  #nextOrigin(): Origin {
    this.#version += 1;
    const local = { address: this.#options.address, port: this.leg.port };
    return { sessionId: this.#sessionId, version: this.#version, local };
  }
}

/** Texts of Warning headers. @see RFC 3261 §20.43 */
export const unreadable = '305 - "The session description cannot be read"';
export const otherFamily = '301 - "The media address is of an address family that this call cannot use"';
