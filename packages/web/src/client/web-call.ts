import { type DownMessage, maxToolResultLength, playedEveryMs, type WebCallLatency } from '../protocol/messages.ts';
import { CallAudio } from './audio/call-audio.ts';
import { ServiceConnection } from './connection.ts';
import { Emitter } from './emitter.ts';
import { WebCallError } from './errors.ts';
import { MediaLink, type WebCallTransport } from './media-link.ts';
import { type PublishableCall, ticketOf, type WebCallTicket } from './ticket.ts';
import type { WebCallTranscript } from './transcript.ts';

/** State of a call. `listening`, `thinking` and `speaking` are activities of the agent. */
export type WebCallState = 'idle' | 'connecting' | 'listening' | 'thinking' | 'speaking' | 'reconnecting' | 'ended';

/** Events of a call, by name. */
export interface WebCallEvents {
  /** The state changed. */
  state: { readonly state: WebCallState };
  /** Interim or final text of either side; pass it to `withWords`. */
  transcript: WebCallTranscript;
  /** A tool call of the agent started or ended, wherever the tool runs. */
  tool: { readonly id: string; readonly name: string; readonly status: 'started' | 'done' | 'failed' };
  /** Latency of a reply in ms. */
  latency: WebCallLatency;
  /** The browser blocks audio until the user clicks or presses a key. The call then continues by itself. */
  suspended: { readonly state: WebCallState };
  /** A device failed. The call continues without it. */
  'device-error': WebCallError;
  /** The call ended. `error` is null for a regular end. */
  ended: { readonly reason: string; readonly error: WebCallError | null };
}

/**
 * A tool that runs in the page. Its result is sent to the model as JSON, of at most 32,268 characters; a rejection is
 * sent as error. `signal` aborts when the result is no longer needed.
 * @example const tools = { openPage: ({ path }) => { location.hash = String(path); return { opened: path }; } };
 */
export type WebCallTool = (
  args: Readonly<Record<string, unknown>>,
  context: { readonly signal: AbortSignal },
) => unknown;

interface WebCallSettings {
  /**
   * Transport of the audio. `auto`, the default, uses WebRTC if the service offers it and it connects within 2 s, and
   * otherwise the WebSocket.
   */
  readonly transport?: WebCallTransport;
  /** Handlers of the agent's tools with `runs: "client"`, by name. */
  readonly tools?: Readonly<Record<string, WebCallTool>>;
  /** False to only listen, over the WebSocket. True by default. */
  readonly microphone?: boolean;
  /** Id of the microphone, from `navigator.mediaDevices.enumerateDevices()`; the default device if absent. */
  readonly inputDevice?: string;
  /** Id of the loudspeaker; the default device if absent. */
  readonly outputDevice?: string;
  /** URL of a file with the text of `workletSource()`, if the content security policy forbids `blob:` scripts. */
  readonly workletUrl?: string;
  /** False for 8 kHz audio, which needs 64 instead of 256 kbit/s per direction. True by default. */
  readonly wideband?: boolean;
}

/** `url` and `token` from your server's `POST /calls/web`, or a publishable key; with the settings of the call. */
export type WebCallOptions = (WebCallTicket | PublishableCall) & WebCallSettings;

/**
 * A call from this page to an agent. Create it with `createWebCall`.
 * @example
 * const call = createWebCall({ url, token });
 * call.on('ended', ({ reason, error }) => console.log(reason, error?.code));
 * button.onclick = () => call.start();
 */
export class WebCall {
  readonly #options: WebCallOptions;
  readonly #events = new Emitter<WebCallEvents>();
  readonly #tools = new Map<string, AbortController>();
  #state: WebCallState = 'idle';
  /** The state last reported by the service, also while disconnected. */
  #lastState: WebCallState = 'connecting';
  #isControlLost = false;
  #isMediaLost = false;
  #audio: CallAudio | null = null;
  #connection: ServiceConnection | null = null;
  #link: MediaLink | null = null;
  #isMuted = false;
  #played = 0;
  #isLinked = false;
  #reporting: ReturnType<typeof setInterval> | undefined;
  /**
   * Hangs up when the user leaves the page: a browser that discards a page may drop the connection without closing it.
   */
  readonly #onPageHide = (): void => this.hangUp();

  constructor(options: WebCallOptions) {
    this.#options = options;
  }

  get state(): WebCallState {
    return this.#state;
  }

  get isMuted(): boolean {
    return this.#isMuted;
  }

  /** Current transport of the audio; null until it is chosen, and while it reconnects. */
  get transport(): 'webrtc' | 'websocket' | null {
    return this.#link?.transport ?? null;
  }

  /** Adds a listener. Returns a function that removes it. */
  on<Name extends keyof WebCallEvents>(name: Name, listener: (event: WebCallEvents[Name]) => void): () => void {
    return this.#events.on(name, listener);
  }

  /**
   * Opens the microphone and connects. Call it from a click handler: browsers block audio without a gesture.
   * Resolves once the connection is being opened; later failures are reported by the `ended` event.
   * @throws WebCallError `permission-denied`, `no-device`, `device-failed` or `unsupported`; with a publishable key
   *   also `token-refused` or `connection-failed`; `protocol` if the call was started before. The call has then ended.
   */
  async start(): Promise<void> {
    if (this.#state !== 'idle')
      throw new WebCallError('protocol', 'The call was started before. Create another one with createWebCall().');
    this.#enter('connecting');
    addEventListener('pagehide', this.#onPageHide);
    try {
      const audio = await CallAudio.open({
        microphone: this.#options.microphone ?? true,
        inputDevice: this.#options.inputDevice,
        outputDevice: this.#options.outputDevice,
        workletUrl: this.#options.workletUrl,
        onFrame: (frame) => this.#onMicrophoneFrame(frame),
        onPlayed: (sequence) => this.#reportPlayed(sequence),
        onSuspended: () => this.#events.emit('suspended', { state: this.#state }),
        onDeviceLost: () =>
          this.#events.emit('device-error', new WebCallError('no-device', 'The microphone was removed.')),
      });
      // The call may have been hung up during the permission prompt.
      if (this.#is('ended')) {
        await audio.close();
        return;
      }
      this.#audio = audio;
      // Requested only now, because a token may expire during the permission prompt.
      const ticket = await ticketOf(this.#options);
      if (!this.#is('ended')) this.#connect(audio, ticket);
    } catch (thrown) {
      const error = thrown instanceof WebCallError ? thrown : new WebCallError('device-failed', String(thrown));
      this.#end('failed', error);
      throw error;
    }
  }

  /** Ends the call. Does nothing if it has ended. */
  hangUp(): void {
    if (this.#state === 'ended') return;
    this.#connection?.send({ type: 'hang-up' });
    this.#end('user_hangup', null);
  }

  /** Mutes or unmutes the microphone. No microphone audio leaves the page while muted. */
  mute(isMuted: boolean): void {
    this.#isMuted = isMuted;
    this.#audio?.mute(isMuted);
    this.#connection?.send({ type: 'mute', muted: isMuted });
  }

  /** Sends a text of up to 4,000 characters as a user turn, which interrupts the agent. Ignored unless connected. */
  sendText(text: string): void {
    this.#connection?.send({ type: 'text', text });
  }

  /** Sends up to 32 DTMF digits: 0–9, *, #. Ignored unless connected. */
  sendKeys(keys: string): void {
    this.#connection?.send({ type: 'keys', keys });
  }

  /**
   * Switches the microphone.
   * @param id id from `navigator.mediaDevices.enumerateDevices()`
   * @throws WebCallError `permission-denied`, `no-device` or `device-failed`
   */
  async setInputDevice(id: string): Promise<void> {
    await this.#audio?.setInputDevice(id);
  }

  /**
   * Switches the loudspeaker.
   * @param id id from `navigator.mediaDevices.enumerateDevices()`
   * @throws WebCallError `no-device`, `device-failed` or `unsupported`
   */
  async setOutputDevice(id: string): Promise<void> {
    await this.#audio?.setOutputDevice(id);
  }

  /** Returns the current audio levels of both sides, from 0 to 1; 0 before and after the call. */
  levels(): { readonly input: number; readonly output: number } {
    return this.#audio?.levels ?? { input: 0, output: 0 };
  }

  #connect(audio: CallAudio, { url, token }: WebCallTicket): void {
    audio.mute(this.#isMuted);
    const { transport: wanted = 'auto', wideband = true, microphone = true } = this.#options;
    const isPeerless = !microphone || (wanted === 'auto' && typeof RTCPeerConnection === 'undefined');
    const transport = isPeerless ? 'websocket' : wanted;
    const connection = new ServiceConnection(
      { url, token, offersWebRtc: transport !== 'websocket', audio: wideband ? ['pcm16', 'pcmu'] : ['pcmu'] },
      {
        onMessage: (message) => this.#receive(message),
        onAudio: (sequence, frame) => audio.play({ sequence, frame }),
        onLost: () => {
          this.#isControlLost = true;
          this.#link?.controlLost();
          this.#show();
        },
        onResumed: () => {
          this.#isControlLost = false;
          if (this.#isMuted) connection.send({ type: 'mute', muted: true });
          this.#link?.resumed();
          this.#show();
        },
        onFailed: (error) => this.#end('failed', error),
      },
    );
    this.#connection = connection;
    this.#link = new MediaLink(transport, audio, {
      send: (message) => connection.send(message),
      onLost: (isLost) => {
        this.#isMediaLost = isLost;
        this.#show();
      },
      onFailed: (error) => this.#end('failed', error),
    });
    connection.open();
    // The player reports only while it plays; this keeps the connection alive in between.
    this.#reporting = setInterval(() => this.#reportPlayed(this.#played), 5 * playedEveryMs);
  }

  #onMicrophoneFrame(frame: Uint8Array): void {
    const isLive = this.#lastState !== 'connecting' && this.#state !== 'ended' && this.transport === 'websocket';
    if (isLive && !this.#isMuted) this.#connection?.sendAudio(frame);
  }

  #reportPlayed(sequence: number): void {
    this.#played = sequence;
    this.#connection?.send({ type: 'played', sequence });
  }

  #receive(message: DownMessage): void {
    switch (message.type) {
      case 'ready':
        this.#audio?.setEncoding(message.audio.encoding);
        if (!this.#isLinked) this.#link?.start(message.webrtc ?? false);
        this.#isLinked = true;
        return;
      case 'error':
      case 'alive':
        return;
      case 'answer':
        this.#link?.answered(message);
        return;
      case 'offer-refused':
        this.#link?.refused(message);
        return;
      case 'answered':
        if (this.#lastState === 'connecting') this.#reported('listening');
        return;
      case 'state':
        this.#reported(message.state);
        return;
      case 'user-text':
        this.#transcript('user', message.text, message.final, false);
        return;
      case 'agent-text':
        this.#transcript('assistant', message.text, false, false);
        return;
      case 'agent-heard':
        this.#transcript('assistant', message.text, true, message.interrupted);
        return;
      case 'tool-started':
        this.#events.emit('tool', { id: message.id, name: message.name, status: 'started' });
        return;
      case 'tool-ended':
        this.#events.emit('tool', { id: message.id, name: message.name, status: message.ok ? 'done' : 'failed' });
        return;
      case 'tool-call':
        void this.#runTool(message);
        return;
      case 'tool-canceled':
        this.#tools.get(message.id)?.abort();
        return;
      case 'latency':
        this.#events.emit('latency', message.latency);
        return;
      case 'clear':
        this.#audio?.play({ clear: message.sequence });
        return;
      case 'ended':
        this.#end(message.reason, null);
    }
  }

  #transcript(role: WebCallTranscript['role'], text: string, final: boolean, interrupted: boolean): void {
    this.#events.emit('transcript', { role, text, final, interrupted });
  }

  async #runTool({ id, name, arguments: args }: Extract<DownMessage, { type: 'tool-call' }>): Promise<void> {
    const canceled = new AbortController();
    this.#tools.set(id, canceled);
    try {
      const tool = this.#options.tools?.[name];
      if (tool === undefined) throw new Error(`The page has no tool ${name}.`);
      const result: unknown = (await tool(args, { signal: canceled.signal })) ?? null;
      if (JSON.stringify(result).length > maxToolResultLength - 500) throw new Error('The result is too long.');
      if (!canceled.signal.aborted) this.#connection?.send({ type: 'tool-result', id, result });
    } catch (thrown) {
      const error = (thrown instanceof Error ? thrown.message : String(thrown)).slice(0, 2_000);
      this.#connection?.send({ type: 'tool-error', id, error });
    } finally {
      this.#tools.delete(id);
    }
  }

  #is(state: WebCallState): boolean {
    return this.#state === state;
  }

  #reported(state: WebCallState): void {
    this.#lastState = state;
    this.#show();
  }

  #show(): void {
    const isLost = this.#isControlLost || (this.#isMediaLost && this.#lastState !== 'connecting');
    this.#enter(isLost ? 'reconnecting' : this.#lastState);
  }

  #enter(state: WebCallState): void {
    if (this.#state === state || this.#state === 'ended') return;
    this.#state = state;
    this.#events.emit('state', { state });
  }

  #end(reason: string, error: WebCallError | null): void {
    if (this.#state === 'ended') return;
    this.#enter('ended');
    removeEventListener('pagehide', this.#onPageHide);
    clearInterval(this.#reporting);
    for (const each of this.#tools.values()) each.abort();
    this.#link?.close();
    this.#connection?.close();
    void this.#audio?.close();
    this.#events.emit('ended', { reason, error });
  }
}
