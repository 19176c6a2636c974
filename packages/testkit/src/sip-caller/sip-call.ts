import type { Clock, DtmfDigit } from '@va/core';
import type { RtpLeg } from '@va/media';
import type { OutgoingEnd, UserAgent } from '@va/sip';
import type { Heard, HeardFrame, WaitForSilenceOptions, WaitForSpeechOptions } from './heard.ts';
import type { Outbox, SentSpan } from './outbox.ts';
import { Pacer } from './pacer.ts';

export type Spoken = SentSpan;

export interface CallEnd {
  /** Who ended it; `failure` when the signalling broke. */
  readonly by: 'caller' | 'far-end' | 'failure';
  readonly atMs: number;
}

export interface SipCallParts {
  readonly clock: Clock;
  readonly agent: UserAgent;
  readonly leg: RtpLeg;
  readonly outbox: Outbox;
  readonly heard: Heard;
}

/**
 * An answered call of a scripted caller. It sends a frame every 20 ms, silence where nothing is to be said, and notes
 * when each frame of the far end arrived. All times are `nowMs` of the caller's clock.
 */
export class SipCall {
  readonly answeredAtMs: number;
  readonly ended: Promise<CallEnd>;
  readonly #parts: SipCallParts;
  readonly #pacer: Pacer;
  #resolveEnded: (end: CallEnd) => void = () => {};
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
  say(pcm: Int16Array): Promise<Spoken> {
    return this.#parts.outbox.say(pcm);
  }

  /** Presses digits (RFC 4733), 100 ms each; resolves after the last one. */
  async sendDtmf(digits: string): Promise<void> {
    await Promise.all([...digits].map((digit) => this.#parts.outbox.press(digit)));
  }

  /**
   * Everything heard so far: as one piece of 8 kHz audio, frame by frame, and the keys that were pressed (RFC 4733).
   */
  heard(): { readonly pcm: Int16Array; readonly frames: readonly HeardFrame[]; readonly digits: readonly DtmfDigit[] } {
    const { pcm, frames, digits } = this.#parts.heard;
    return { pcm, frames, digits };
  }

  /** Called for each frame the moment it arrives; returns what takes the listener away again. */
  onFrame(listener: (pcm: Int16Array, atMs: number) => void): () => void {
    return this.#parts.heard.onFrame((frame) => listener(frame.pcm, frame.atMs));
  }

  /**
   * Resolves with the arrival of the first loud frame.
   * @throws VaError `caller_wait_failed` after `timeoutMs` (10 s), or when the call ends.
   */
  waitForSpeech(options: WaitForSpeechOptions = {}): Promise<number> {
    return this.#parts.heard.waitForSpeech(options);
  }

  /**
   * Resolves once nothing loud has come for `ms`, with the arrival of the last loud frame.
   * @throws VaError `caller_wait_failed` after `timeoutMs` (10 s), or when the call ends.
   */
  waitForSilence(options: WaitForSilenceOptions): Promise<number> {
    return this.#parts.heard.waitForSilence(options);
  }

  /** Hangs up; resolves when the far end has agreed and every socket is closed. */
  async hangup(): Promise<void> {
    await this.#parts.agent.close();
  }

  /** Is gone, like a phone that lost its network: no BYE, no more audio. */
  async vanish(): Promise<void> {
    this.#vanished = true;
    await this.#parts.agent.destroy();
  }

  /** Told by the signalling that the call is over. */
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
