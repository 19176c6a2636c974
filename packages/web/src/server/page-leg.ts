import type { MediaLeg } from '@va/core/adapter';
import type { AudioFormat, DtmfDigit, MediaStatistics } from '@va/media';
import type { WebLeg } from './web-leg.ts';
import type { WebRtcAudio } from './webrtc/web-rtc-audio.ts';

/** Audio in the jitter buffer of a browser, which holds 60 to 200 ms. */
const browserBufferMs = 200;

/** The leg of a web call, over its WebSocket or over WebRTC. */
export class PageLeg implements MediaLeg {
  readonly format: AudioFormat;
  readonly receiving = true;
  readonly #webSocket: WebLeg;
  readonly #webRtc: WebRtcAudio | null;
  #active: WebLeg | WebRtcAudio;
  isMuted = false;

  constructor(webSocket: WebLeg, webRtc: WebRtcAudio | null) {
    this.format = webSocket.format;
    this.#webSocket = webSocket;
    this.#webRtc = webRtc;
    this.#active = webSocket;
  }

  get usesWebRtc(): boolean {
    return this.#active !== this.#webSocket;
  }

  switchToWebRtc(): void {
    if (this.#webRtc !== null) this.#active = this.#webRtc;
  }

  switchToWebSocket(): void {
    this.#active = this.#webSocket;
  }

  get sending(): boolean {
    return this.#active.sending;
  }

  get aliveAtMs(): number {
    return this.#active.aliveAtMs;
  }

  onFrame(listener: (frame: Uint8Array | null) => void): void {
    const of = (leg: WebLeg | WebRtcAudio | null): void =>
      leg?.onFrame((frame) => {
        if (leg === this.#active && !this.isMuted) listener(frame);
      });
    of(this.#webSocket);
    of(this.#webRtc);
  }

  onDtmf(listener: (digit: DtmfDigit) => void): void {
    this.#webSocket.onDtmf(listener);
    this.#webRtc?.onDtmf(listener);
  }

  send(frame: Uint8Array): void {
    this.#active.send(frame);
  }

  sendDtmf(digits: string, toneMs: number): void {
    this.#active.sendDtmf(digits, toneMs);
  }

  /**
   * Returns the discarded audio in milliseconds. Over WebRTC it is 0: frames count as played once they are sent, as
   * over RTP.
   */
  discardUnplayed(): number {
    return this.usesWebRtc ? 0 : this.#webSocket.discardUnplayed();
  }

  holdUnplayed(): void {
    if (!this.usesWebRtc) this.#webSocket.holdUnplayed();
  }

  playUnplayed(): void {
    if (!this.usesWebRtc) this.#webSocket.playUnplayed();
  }

  async statistics(): Promise<MediaStatistics | null> {
    return await this.#active.statistics();
  }

  /** Unplayed audio of the page in milliseconds. */
  get unplayedMs(): number {
    if (!this.usesWebRtc) return this.#webSocket.unplayedMs;
    return this.sending ? browserBufferMs : 0;
  }

  /** Ends the leg: stops sending and emitting. */
  end(): void {
    this.#webSocket.end();
    this.#webRtc?.close();
  }
}
