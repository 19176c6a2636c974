import type { UpMessage } from '../protocol/messages.ts';
import type { CallAudio } from './audio/call-audio.ts';
import { WebCallError } from './errors.ts';
import { PeerAudio } from './peer-audio.ts';

/** How the audio of a call goes: `auto` is WebRTC where it can be had, else the WebSocket. */
export type WebCallTransport = 'auto' | 'webrtc' | 'websocket';

export interface MediaLinkListener {
  send(message: UpMessage): void;
  /** The media connection is lost and is made again, or is back. */
  onLost(isLost: boolean): void;
  onFailed(error: WebCallError): void;
}

/** Time for a connection where the WebSocket is the alternative, and where there is none. */
const fallBackAfterMs = 2_000;
const giveUpAfterMs = 10_000;
/** Interval of looks at the connection; it counts as lost after two without a packet. */
const watchEveryMs = 1_000;

/** The audio of a call on its way: makes the WebRTC connection, watches it, and falls back to the WebSocket. */
export class MediaLink {
  readonly #transport: WebCallTransport;
  readonly #audio: CallAudio;
  readonly #listener: MediaLinkListener;
  #peer: PeerAudio | null = null;
  #isConnected = false;
  /** True once a connection was made. */
  #wasConnected = false;
  /** The service has answered the last offer: the control connection works. */
  #isAnswered = false;
  #silentLooks = 0;
  #deadline: ReturnType<typeof setTimeout> | undefined;
  #watching: ReturnType<typeof setInterval> | undefined;
  #usesWebSocket = false;

  constructor(transport: WebCallTransport, audio: CallAudio, listener: MediaLinkListener) {
    this.#transport = transport;
    this.#audio = audio;
    this.#listener = listener;
    audio.onMicrophone = (track) => void this.#peer?.useMicrophone(track).catch(() => {});
  }

  /** How the audio goes now; null before that is known, and while a connection is made again. */
  get transport(): 'webrtc' | 'websocket' | null {
    if (this.#usesWebSocket) return 'websocket';
    return this.#isConnected ? 'webrtc' : null;
  }

  /** @param isOffered true if the service takes WebRTC calls */
  start(isOffered: boolean): void {
    if (this.#transport !== 'websocket' && isOffered) this.#attempt();
    else if (this.#transport === 'webrtc') this.#fail('connection-failed', 'The service does not offer WebRTC.');
    else this.#playFrames();
  }

  answered(sdp: string): void {
    this.#isAnswered = true;
    this.#peer?.accept(sdp).catch(() => this.#unreachable());
  }

  refused(): void {
    this.#unreachable();
  }

  /** The control connection is lost, and with it offers: nothing is decided before it is back. */
  controlLost(): void {
    clearTimeout(this.#deadline);
  }

  /** The control connection is back. */
  resumed(): void {
    if (this.#peer !== null && (!this.#isConnected || this.#silentLooks > 0)) this.#attempt();
  }

  close(): void {
    clearTimeout(this.#deadline);
    clearInterval(this.#watching);
    this.#peer?.close();
    this.#peer = null;
  }

  #attempt(): void {
    this.close();
    const { microphone } = this.#audio;
    if (microphone === null) return;
    this.#isConnected = false;
    this.#isAnswered = false;
    this.#awaitConnection();
    const peer = new PeerAudio(
      microphone,
      (stream) => this.#connected(peer, stream),
      () => this.#unreachable(),
    );
    this.#peer = peer;
    peer
      .offer()
      .then((sdp) => this.#listener.send({ type: 'offer', sdp }))
      .catch(() => this.#unreachable());
  }

  #awaitConnection(): void {
    const limitMs = this.#transport === 'auto' ? fallBackAfterMs : giveUpAfterMs;
    this.#deadline = setTimeout(() => {
      // A network that is gone takes the control connection with it, which notices later.
      if (this.#wasConnected && !this.#isAnswered) this.#awaitConnection();
      else this.#unreachable();
    }, limitMs);
  }

  #connected(peer: PeerAudio, stream: MediaStream): void {
    clearTimeout(this.#deadline);
    this.#isConnected = true;
    this.#wasConnected = true;
    this.#silentLooks = 0;
    this.#audio.playStream(stream);
    this.#listener.onLost(false);
    this.#watching = setInterval(() => void this.#watch(peer), watchEveryMs);
  }

  async #watch(peer: PeerAudio): Promise<void> {
    const hasReceived = await peer.hasReceived().catch(() => false);
    if (peer !== this.#peer) return;
    this.#silentLooks = hasReceived ? 0 : this.#silentLooks + 1;
    if (this.#silentLooks !== 2) return;
    this.#listener.onLost(true);
    this.#attempt();
  }

  #unreachable(): void {
    this.close();
    if (this.#transport === 'webrtc') {
      this.#fail(
        this.#wasConnected ? 'connection-lost' : 'connection-failed',
        'No WebRTC connection could be made to the service.',
      );
      return;
    }
    this.#listener.send({ type: 'use-websocket' });
    this.#playFrames();
    this.#listener.onLost(false);
  }

  #playFrames(): void {
    this.#usesWebSocket = true;
    this.#audio.playFrames().catch((thrown: unknown) => this.#fail('device-failed', String(thrown)));
  }

  #fail(code: WebCallError['code'], message: string): void {
    this.#listener.onFailed(new WebCallError(code, message));
  }
}
