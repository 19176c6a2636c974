import type { Clock, DtmfDigit } from '@va/core/adapter';
import type { RtpLeg } from '@va/media';
import type { OutgoingEnd, UserAgent } from '@va/sip';
import type { Heard, HeardFrame, WaitForSilenceOptions, WaitForSpeechOptions } from './heard.ts';
import type { Outbox, SentSpan } from './outbox.ts';
import { Pacer } from './pacer.ts';

/** End of a call, by the side that ended it. */
export interface SipCallEnd {
  /** The side that ended it; `failure` when the signalling failed. */
  readonly by: 'caller' | 'far-end' | 'failure';
  readonly atMs: number;
}

/** Signalling and media of a call that was answered. */
interface SipCallParts {
  readonly clock: Clock;
  readonly agent: UserAgent;
  readonly leg: RtpLeg;
  readonly outbox: Outbox;
  readonly heard: Heard;
}

/**
 * An answered call of a scripted caller. It sends a frame every 20 ms, silence when nothing is queued, and records the
 * arrival time of each frame of the far end. All times are `nowMs` of the caller's clock.
 */
export class SipCall {
  readonly answeredAtMs: number;
  readonly ended: Promise<SipCallEnd>;
  readonly #parts: SipCallParts;
  readonly #pacer: Pacer;
  #resolveEnded: (end: SipCallEnd) => void = () => {};
  #over = false;
  #vanished = false;

  constructor(parts: SipCallParts) {
    this.#parts = parts;
    this.answeredAtMs = parts.clock.nowMs();
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    this.#pacer = new Pacer(parts.clock, (nowMs) => parts.outbox.tick(nowMs));
    this.#pacer.start();
  }

  /** Speaks 8 kHz audio; resolves when its last frame has been sent, or the call ends. */
  say(pcm: Int16Array): Promise<SentSpan> {
    return this.#parts.outbox.say(pcm);
  }

  /** Sends DTMF digits (RFC 4733), 100 ms each; resolves after the last one. */
  async sendDtmf(digits: string): Promise<void> {
    await Promise.all([...digits].map((digit) => this.#parts.outbox.press(digit)));
  }

  /** All received audio so far, as 8 kHz audio and by frame, and the received DTMF digits (RFC 4733). */
  heard(): { readonly pcm: Int16Array; readonly frames: readonly HeardFrame[]; readonly digits: readonly DtmfDigit[] } {
    const { pcm, frames, digits } = this.#parts.heard;
    return { pcm, frames, digits };
  }

  /** Calls the listener for each frame on arrival; returns a function that removes it. */
  onFrame(listener: (pcm: Int16Array, atMs: number) => void): () => void {
    return this.#parts.heard.onFrame((frame) => listener(frame.pcm, frame.atMs));
  }

  /**
   * Resolves with the arrival time of the first loud frame.
   * @throws VaError `caller_wait_failed` after `timeoutMs` (10 s), or when the call ends
   */
  waitForSpeech(options: WaitForSpeechOptions = {}): Promise<number> {
    return this.#parts.heard.waitForSpeech(options);
  }

  /**
   * Resolves after `ms` without a loud frame, with the arrival time of the last loud one.
   * @throws VaError `caller_wait_failed` after `timeoutMs` (10 s), or when the call ends
   */
  waitForSilence(options: WaitForSilenceOptions): Promise<number> {
    return this.#parts.heard.waitForSilence(options);
  }

  /** Hangs up; resolves when the far end has responded and every socket is closed. */
  async hangup(): Promise<void> {
    await this.#parts.agent.close();
  }

  /** Vanishes like a phone that lost its network: no BYE, no more audio. */
  async vanish(): Promise<void> {
    this.#vanished = true;
    await this.#parts.agent.destroy();
  }

  /** Called by the signalling when the call has ended. */
  onEnd(end: OutgoingEnd): void {
    if (this.#over) return;
    this.#over = true;
    this.#pacer.stop();
    this.#parts.outbox.close();
    this.#parts.heard.close();
    const by = end.cause === 'remote-hangup' ? 'far-end' : end.cause === 'local-hangup' ? 'caller' : 'failure';
    this.#resolveEnded({ by, atMs: this.#parts.clock.nowMs() });
    if (end.cause === 'remote-hangup' && !this.#vanished) void this.#parts.agent.close();
  }
}
