import type { DtmfDigit, RandomBytes } from '@va/core';
import type { AnswerOutcome, SessionMedia } from '../dialog/session-media.ts';
import { type Agreement, agree, whileHeld } from '../sdp/agreement.ts';
import type { CodecName } from '../sdp/audio-codec.ts';
import { parseSessionDescription } from '../sdp/session-description.ts';
import { type Origin, writeAnswer, writeOffer } from '../sdp/write.ts';
import type { RtpLeg } from './rtp-leg.ts';

export interface RtpSessionOptions {
  readonly leg: RtpLeg;
  /** Most wanted first. */
  readonly codecs: readonly CodecName[];
  /** The address that the peer is told to send to. */
  readonly address: string;
  readonly random: RandomBytes;
}

/** The one audio stream of a call, described by SDP and carried by RTP. */
export class RtpSession implements SessionMedia {
  readonly leg: RtpLeg;
  readonly #options: RtpSessionOptions;
  readonly #sessionId: number;
  #version = 0;
  #held = false;
  /** Of our last offer: every answer to it may choose, also when a forked call has several. */
  #offered: readonly CodecName[] = [];

  constructor(options: RtpSessionOptions) {
    this.leg = options.leg;
    this.#options = options;
    const [a = 0, b = 0, c = 0, d = 0] = options.random(4);
    this.#sessionId = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  }

  offer(): Uint8Array {
    this.#offered = this.#codecs();
    return writeOffer(this.#nextOrigin(), { codecs: this.#offered, direction: this.#held ? 'sendonly' : 'sendrecv' });
  }

  answer(offer: Uint8Array): AnswerOutcome {
    const description = parseSessionDescription(offer);
    if (description === null) return { ok: false, warning: '305 - "The session description cannot be read"' };
    const agreed = agree(description, this.#codecs());
    if (agreed === null) return { ok: false, warning: noCommonMedia };
    const agreement = this.#held ? whileHeld(agreed) : agreed;
    this.leg.apply(agreement);
    return { ok: true, answer: writeAnswer(this.#nextOrigin(), description, agreement) };
  }

  accept(answer: Uint8Array): boolean {
    const description = parseSessionDescription(answer);
    const agreement: Agreement | null = description === null ? null : agree(description, this.#offered);
    if (agreement === null || agreement.mediaIndex !== 0) return false;
    this.leg.apply(agreement);
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

  /** A call keeps the codec it began with: whoever listens to the leg was told its format once. */
  #codecs(): readonly CodecName[] {
    const agreed = this.leg.agreement?.codec.name;
    return agreed === undefined ? this.#options.codecs : [agreed];
  }

  #nextOrigin(): Origin {
    this.#version += 1;
    const local = { address: this.#options.address, port: this.leg.port };
    return { sessionId: this.#sessionId, version: this.#version, local };
  }
}

/** @see RFC 3261 §20.43 */
export const noCommonMedia = '304 - "No audio stream with PCMU or PCMA over RTP/AVP is offered"';
