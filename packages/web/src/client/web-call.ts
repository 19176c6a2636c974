import { type DownMessage, maxToolResultLength, playedEveryMs, type WebCallLatency } from '../protocol/messages.ts';
import { CallAudio } from './audio/call-audio.ts';
import { Connection } from './connection.ts';
import { Emitter } from './emitter.ts';
import { WebCallError } from './errors.ts';
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

export interface WebCallOptions {
  /** `url` and `token` of `POST /calls/web`. */
  readonly url: string;
  readonly token: string;
  /** Tools of the agent with `runs: "client"`, by their name. */
  readonly tools?: Readonly<Record<string, WebCallTool>>;
  /** Ids of `navigator.mediaDevices.enumerateDevices()`. */
  readonly inputDevice?: string;
  readonly outputDevice?: string;
  /** URL of a file with the text of `workletSource()`, for pages whose policy allows no `blob:` scripts. */
  readonly workletUrl?: string;
  /** False for audio of 8 kHz, such as on a slow network: 64 kbit/s per direction instead of 256. True by default. */
  readonly wideband?: boolean;
}

/** A call from this page to an agent. */
export class WebCall {
  readonly #options: WebCallOptions;
  readonly #events = new Emitter<WebCallEvents>();
  readonly #tools = new Map<string, AbortController>();
  #state: WebCallState = 'idle';
  /** The state before the connection was lost. */
  #lastState: WebCallState = 'listening';
  #audio: CallAudio | null = null;
  #connection: Connection | null = null;
  #isMuted = false;
  #played = 0;
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

  /** Adds a listener. Returns a function that removes it. */
  on<Name extends keyof WebCallEvents>(name: Name, listener: (event: WebCallEvents[Name]) => void): () => void {
    return this.#events.on(name, listener);
  }

  /**
   * Opens the microphone and calls. To be called from a click: browsers otherwise play no sound before the next one.
   * @throws WebCallError `permission-denied`, `no-device`, `device-failed` or `unsupported`; the call has then ended
   */
  async start(): Promise<void> {
    if (this.#state !== 'idle') throw new WebCallError('protocol', 'A call starts once. Create another one.');
    this.#enter('connecting');
    try {
      const audio = await CallAudio.open({
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
      if (this.#is('ended')) await audio.close();
      else this.#connect(audio);
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
    const { input = 0, output = 0 } = this.#audio?.levels ?? {};
    return { input: this.#isMuted ? 0 : input, output };
  }

  #connect(audio: CallAudio): void {
    this.#audio = audio;
    const { url, token, wideband = true } = this.#options;
    this.#connection = new Connection(url, token, wideband ? ['pcm16', 'pcmu'] : ['pcmu'], {
      onMessage: (message) => this.#receive(message),
      onAudio: (sequence, frame) => audio.play({ sequence, frame }),
      onLost: () => {
        this.#lastState = this.#state;
        this.#enter('reconnecting');
      },
      onResumed: () => {
        this.#enter(this.#lastState);
        if (this.#isMuted) this.#connection?.send({ type: 'mute', muted: true });
      },
      onFailed: (error) => this.#end('failed', error),
    });
    this.#connection.open();
    // The player reports by itself while it plays; this tells the service that the page is there.
    this.#reporting = setInterval(() => this.#reportPlayed(this.#played), 5 * playedEveryMs);
  }

  #heard(frame: Uint8Array): void {
    const isLive = this.#state !== 'connecting' && this.#state !== 'ended';
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
        return;
      case 'error':
        return;
      case 'answered':
        if (this.#is('connecting')) this.#enter('listening');
        return;
      case 'state':
        this.#enter(message.state);
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
    this.#connection?.close();
    void this.#audio?.close();
    this.#events.emit('ended', { reason, error });
  }
}
