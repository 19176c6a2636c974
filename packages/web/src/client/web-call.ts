import { type DownMessage, maxToolResultLength, playedEveryMs, type WebCallLatency } from '../protocol/messages.ts';
import { CallAudio } from './audio/call-audio.ts';
import { ServiceConnection } from './connection.ts';
import { Emitter } from './emitter.ts';
import { WebCallError } from './errors.ts';
import { MediaLink, type WebCallTransport } from './media-link.ts';
import { type PublishableCall, ticketOf, type WebCallTicket } from './ticket.ts';
import type { WebCallTranscript } from './transcript.ts';

export type WebCallState = 'idle' | 'connecting' | 'listening' | 'thinking' | 'speaking' | 'reconnecting' | 'ended';

export interface WebCallEvents {
  state: { readonly state: WebCallState };
  transcript: WebCallTranscript;
  tool: { readonly id: string; readonly name: string; readonly status: 'started' | 'done' | 'failed' };
  latency: WebCallLatency;
  /** The browser plays nothing before the user clicks or presses a key: ask for it. The call then begins. */
  suspended: { readonly state: WebCallState };
  /** A device failed during the call, which goes on. */
  'device-error': WebCallError;
  /** `error` is set if the call did not end as calls do. */
  ended: { readonly reason: string; readonly error: WebCallError | null };
}

/** A tool that runs in the page. What it returns is sent to the model as JSON. */
export type WebCallTool = (
  args: Readonly<Record<string, unknown>>,
  context: { readonly signal: AbortSignal },
) => unknown;

interface WebCallSettings {
  /**
   * How the audio goes: over `webrtc`, over the `websocket`, or by default `auto`: over WebRTC where the service offers
   * it and the network allows it within 2 s.
   */
  readonly transport?: WebCallTransport;
  /** Tools of the agent with `runs: "client"`, by their name. */
  readonly tools?: Readonly<Record<string, WebCallTool>>;
  /** False for a page that only listens, with its audio over the WebSocket. True by default. */
  readonly microphone?: boolean;
  /** Ids of `navigator.mediaDevices.enumerateDevices()`. */
  readonly inputDevice?: string;
  readonly outputDevice?: string;
  /** URL of a file with the text of `workletSource()`, for pages whose policy allows no `blob:` scripts. */
  readonly workletUrl?: string;
  /** False for audio of 8 kHz, such as on a slow network: 64 kbit/s per direction instead of 256. True by default. */
  readonly wideband?: boolean;
}

/** `url` and `token` of your server's `POST /calls/web`, or the publishable key with which the page asks by itself. */
export type WebCallOptions = (WebCallTicket | PublishableCall) & WebCallSettings;

/** A call from this page to an agent. */
export class WebCall {
  readonly #options: WebCallOptions;
  readonly #events = new Emitter<WebCallEvents>();
  readonly #tools = new Map<string, AbortController>();
  #state: WebCallState = 'idle';
  /** The state that the service has reported last, also while a connection is lost. */
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

  constructor(options: WebCallOptions) {
    this.#options = options;
  }

  get state(): WebCallState {
    return this.#state;
  }

  get isMuted(): boolean {
    return this.#isMuted;
  }

  /** How the audio goes now; null before that is known, and while a connection is made again. */
  get transport(): 'webrtc' | 'websocket' | null {
    return this.#link?.transport ?? null;
  }

  /** Adds a listener. Returns a function that removes it. */
  on<Name extends keyof WebCallEvents>(name: Name, listener: (event: WebCallEvents[Name]) => void): () => void {
    return this.#events.on(name, listener);
  }

  /**
   * Opens the microphone and calls. To be called from a click: browsers otherwise play no sound before the next one.
   * @throws WebCallError `permission-denied`, `no-device`, `device-failed` or `unsupported`, and with a publishable key
   *   `token-refused` or `connection-failed`; the call has then ended
   */
  async start(): Promise<void> {
    if (this.#state !== 'idle') throw new WebCallError('protocol', 'A call starts once. Create another one.');
    this.#enter('connecting');
    try {
      const audio = await CallAudio.open({
        microphone: this.#options.microphone ?? true,
        inputDevice: this.#options.inputDevice,
        outputDevice: this.#options.outputDevice,
        workletUrl: this.#options.workletUrl,
        onFrame: (frame) => this.#heard(frame),
        onPlayed: (sequence) => this.#reportPlayed(sequence),
        onSuspended: () => this.#events.emit('suspended', { state: this.#state }),
        onDeviceLost: () =>
          this.#events.emit('device-error', new WebCallError('no-device', 'The microphone was removed.')),
      });
      // The call may have been hung up while the user was asked.
      if (this.#is('ended')) {
        await audio.close();
        return;
      }
      this.#audio = audio;
      // Only now, because a token may expire while the user is asked for the microphone.
      const ticket = await ticketOf(this.#options);
      if (!this.#is('ended')) this.#connect(audio, ticket);
    } catch (thrown) {
      const error = thrown instanceof WebCallError ? thrown : new WebCallError('device-failed', String(thrown));
      this.#end('failed', error);
      throw error;
    }
  }

  hangUp(): void {
    if (this.#state === 'ended') return;
    this.#connection?.send({ type: 'hang-up' });
    this.#end('user_hangup', null);
  }

  /** While muted, nothing that the microphone hears leaves the page. */
  mute(isMuted: boolean): void {
    this.#isMuted = isMuted;
    this.#audio?.mute(isMuted);
    this.#connection?.send({ type: 'mute', muted: isMuted });
  }

  /** Sends a text as a turn of the caller; it interrupts the agent. At most 4,000 characters. */
  sendText(text: string): void {
    this.#connection?.send({ type: 'text', text });
  }

  /** Sends up to 32 keys of a telephone: 0–9, *, #. */
  sendKeys(keys: string): void {
    this.#connection?.send({ type: 'keys', keys });
  }

  /** @throws WebCallError */
  async setInputDevice(id: string): Promise<void> {
    await this.#audio?.setInputDevice(id);
  }

  /** @throws WebCallError */
  async setOutputDevice(id: string): Promise<void> {
    await this.#audio?.setOutputDevice(id);
  }

  /** Returns the present levels of both sides, from 0 to 1. */
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
    // The player reports by itself while it plays; this tells the service that the page is there.
    this.#reporting = setInterval(() => this.#reportPlayed(this.#played), 5 * playedEveryMs);
  }

  #heard(frame: Uint8Array): void {
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
        this.#link?.answered(message.sdp);
        return;
      case 'offer-refused':
        this.#link?.refused();
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
    clearInterval(this.#reporting);
    for (const each of this.#tools.values()) each.abort();
    this.#link?.close();
    this.#connection?.close();
    void this.#audio?.close();
    this.#events.emit('ended', { reason, error });
  }
}
