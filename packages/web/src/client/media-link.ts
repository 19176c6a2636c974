import type { DownMessage, UpMessage } from '../protocol/messages.ts';
import type { CallAudio } from './audio/call-audio.ts';
import { WebCallError } from './errors.ts';
import { PeerAudio } from './peer-audio.ts';

/** Transport of the audio: `auto` is WebRTC if it can be established, otherwise the WebSocket. */
export type WebCallTransport = 'auto' | 'webrtc' | 'websocket';

export interface MediaLinkListener {
  send(message: UpMessage): void;
  /** Called with true when the media connection was lost and reconnects, with false once audio is transmitted again. */
  onLost(isLost: boolean): void;
  onFailed(error: WebCallError): void;
}

type AnswerMessage = Extract<DownMessage, { type: 'answer' }>;
type OfferRefusedMessage = Extract<DownMessage, { type: 'offer-refused' }>;

/** Timeouts of a connection attempt: with the WebSocket as fallback, and without one. */
const fallBackAfterMs = 2_000;
const giveUpAfterMs = 10_000;
/** Interval at which the connection is checked. It counts as lost after two checks without a packet. */
const watchEveryMs = 1_000;

/** Establishes and monitors the WebRTC connection of a call, and falls back to the WebSocket. */
export class MediaLink {
  readonly #transport: WebCallTransport;
  readonly #audio: CallAudio;
  readonly #listener: MediaLinkListener;
  #peer: PeerAudio | null = null;
  /** Id of the last offer. */
  #offerId = 0;
  #isConnected = false;
  /** True once a connection was established. */
  #wasConnected = false;
  /** True if the service has answered the last offer, which proves that the control connection works. */
  #isAnswered = false;
  #checksWithoutPackets = 0;
  #deadline: ReturnType<typeof setTimeout> | undefined;
  #watching: ReturnType<typeof setInterval> | undefined;
  #usesWebSocket = false;

  constructor(transport: WebCallTransport, audio: CallAudio, listener: MediaLinkListener) {
    this.#transport = transport;
    this.#audio = audio;
    this.#listener = listener;
    audio.onMicrophone = (track) => void this.#peer?.useMicrophone(track).catch(() => {});
  }

  /** Current transport; null until it is chosen, and while it reconnects. */
  get transport(): 'webrtc' | 'websocket' | null {
    if (this.#usesWebSocket) return 'websocket';
    return this.#isConnected ? 'webrtc' : null;
  }

  /** @param isOffered true if the service supports WebRTC */
  start(isOffered: boolean): void {
    if (this.#transport !== 'websocket' && isOffered) this.#attempt();
    else if (this.#transport === 'webrtc') this.#fail('connection-failed', 'The service does not offer WebRTC.');
    else this.#playFrames();
  }

  /** Accepts the answer to the last offer. Ignores the answer to an earlier one. */
  answered({ sdp, id }: Pick<AnswerMessage, 'sdp' | 'id'>): void {
    if (this.#isStale(id)) return;
    this.#isAnswered = true;
    const peer = this.#peer;
    peer?.accept(sdp).catch(() => this.#attemptFailed(peer));
  }

  /** Gives up WebRTC if the last offer was refused. Ignores the refusal of an earlier one. */
  refused({ id }: Pick<OfferRefusedMessage, 'id'>): void {
    if (!this.#isStale(id)) this.#unreachable();
  }

  /** Stops the timeout of the attempt while the control connection is lost, because offers are lost with it. */
  controlLost(): void {
    clearTimeout(this.#deadline);
  }

  /** Makes a new attempt after the control connection was resumed, unless the media connection receives packets. */
  resumed(): void {
    if (this.#peer !== null && (!this.#isConnected || this.#checksWithoutPackets > 0)) this.#attempt();
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
    this.#offerId += 1;
    const id = this.#offerId;
    peer.offer().then(
      (sdp) => {
        if (peer === this.#peer) this.#listener.send({ type: 'offer', sdp, id });
      },
      () => this.#attemptFailed(peer),
    );
  }

  /** Returns true for the response to an earlier offer. Services that predate `id` send none. */
  #isStale(id: number | undefined): boolean {
    return id !== undefined && id !== this.#offerId;
  }

  /**
   * Handles a failed attempt. Ignores a connection that was closed or replaced meanwhile, whose pending operations
   * reject.
   */
  #attemptFailed(peer: PeerAudio): void {
    if (peer === this.#peer) this.#unreachable();
  }

  #awaitConnection(): void {
    const limitMs = this.#transport === 'auto' ? fallBackAfterMs : giveUpAfterMs;
    this.#deadline = setTimeout(() => {
      // A lost network also breaks the control connection, which detects it later.
      if (this.#wasConnected && !this.#isAnswered) this.#awaitConnection();
      else this.#unreachable();
    }, limitMs);
  }

  #connected(peer: PeerAudio, stream: MediaStream): void {
    clearTimeout(this.#deadline);
    this.#isConnected = true;
    this.#wasConnected = true;
    this.#checksWithoutPackets = 0;
    this.#audio.playStream(stream);
    this.#listener.onLost(false);
    this.#watching = setInterval(() => void this.#watch(peer), watchEveryMs);
  }

  async #watch(peer: PeerAudio): Promise<void> {
    const hasReceived = await peer.hasReceived().catch(() => false);
    if (peer !== this.#peer) return;
    this.#checksWithoutPackets = hasReceived ? 0 : this.#checksWithoutPackets + 1;
    if (this.#checksWithoutPackets !== 2) return;
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
