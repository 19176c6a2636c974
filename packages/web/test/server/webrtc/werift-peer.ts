import { vi } from 'vitest';
import { MediaStreamTrack, usePCMU as pcmu, RTCPeerConnection, RtpHeader, RtpPacket } from 'werift';

/** A WebRTC client that shares no code with the service. */
export class WeriftPeer {
  /** First byte of each received packet. */
  readonly heard: number[] = [];
  readonly #peer: RTCPeerConnection;
  readonly #track = new MediaStreamTrack({ kind: 'audio' });
  /** μ-law code that `keepSpeaking` sends; silence at first. */
  code = 0xff;
  #sent = 0;

  private constructor() {
    this.#peer = new RTCPeerConnection({
      codecs: { audio: [pcmu()] },
      iceServers: [],
      iceAdditionalHostAddresses: ['127.0.0.1'],
    });
    const transceiver = this.#peer.addTransceiver(this.#track, { direction: 'sendrecv' });
    transceiver.onTrack.subscribe((track) => {
      track.onReceiveRtp.subscribe(({ payload }) => this.heard.push(payload[0] ?? 0));
    });
  }

  static async create(): Promise<WeriftPeer> {
    const peer = new WeriftPeer();
    await peer.#peer.setLocalDescription(await peer.#peer.createOffer());
    return peer;
  }

  get offer(): string {
    return this.#peer.localDescription?.sdp ?? '';
  }

  get state(): string {
    return this.#peer.connectionState;
  }

  async accept(answer: string): Promise<void> {
    await this.#peer.setRemoteDescription({ type: 'answer', sdp: answer });
  }

  /** Sends 20 ms of μ-law. */
  speak(code: number): void {
    const header = new RtpHeader({
      payloadType: 0,
      sequenceNumber: this.#sent & 0xffff,
      timestamp: this.#sent * 160,
      ssrc: 5,
    });
    this.#sent += 1;
    this.#track.writeRtp(new RtpPacket(header, Buffer.alloc(160, code)));
  }

  /** Sends frames in real time, until the returned function is called. */
  keepSpeaking(): () => void {
    const startedAtMs = performance.now();
    const timer = setInterval(() => {
      const due = Math.floor((performance.now() - startedAtMs) / 20);
      while (this.#sent < due) this.speak(this.code);
    }, 5);
    return () => clearInterval(timer);
  }

  /** Sends a number of frames of a code through `keepSpeaking`, then silence again. */
  async speakFor(frames: number, code: number): Promise<void> {
    const end = this.#sent + frames;
    this.code = code;
    await vi.waitUntil(() => this.#sent >= end, { interval: 5 });
    this.code = 0xff;
  }

  /** Closes the connection without a notification of the other end: werift sends no close_notify. */
  async close(): Promise<void> {
    await this.#peer.close();
  }
}
