import {
  EventQueue,
  type LlmEvent,
  type RealtimeEvent,
  type RealtimeModel,
  type RealtimeSession,
  type RealtimeSessionOptions,
} from '@va/core/adapter';
import { soundOf } from '../readable-sound.ts';

/**
 * A response of the model: events in order, with numbers as pauses in milliseconds and an Error for a failed response.
 */
export type ScriptedResponse = readonly (LlmEvent | number | Error)[];

/** Options of the scripted speech-to-speech model. */
export interface ScriptedRealtimeOptions {
  readonly id?: string;
  /** Transcripts of the caller, commit by commit; a function gets the time of the commit in milliseconds. */
  readonly turns?: readonly string[] | ((committedAtMs: number) => string);
  /** Delay from a commit to its transcript. Default: 300, after the reply has begun. */
  readonly wordsDelayMs?: number;
  /** Delay from a request to its first event. Default: 100. */
  readonly delayMs?: number;
  /** Duration of each letter. Default: 50 ms. */
  readonly msPerLetter?: number;
  /** Encodes the letters in the audio for `readSound`. Default: false. */
  readonly readable?: boolean;
  /**
   * The responses, one per request (the last one repeats). A request for a fixed text speaks that text and uses none of
   * them.
   */
  readonly responses?: readonly ScriptedResponse[];
}

/** Command that a session received. */
export type SessionCommand =
  | { type: 'commit'; turn: number; bytes: number }
  | { type: 'message'; role: string; text: string }
  | { type: 'tool-result'; callId: string; output: string }
  | { type: 'respond'; response: number; withTools: boolean; say: string | null }
  | { type: 'cancel'; response: number }
  | { type: 'truncate'; item: string; heardMs: number }
  | { type: 'instructions'; text: string };

/** Session of the scripted model with the commands that it received. `fail` ends it with an error. */
export interface ScriptedRealtimeSession extends RealtimeSession {
  readonly options: RealtimeSessionOptions;
  readonly commands: readonly SessionCommand[];
  readonly closed: boolean;
  fail(error: Error): void;
}

/** Speech-to-speech model that returns prepared responses and records its sessions. */
export interface ScriptedRealtime extends RealtimeModel {
  readonly sessions: readonly ScriptedRealtimeSession[];
}

/**
 * Returns a speech-to-speech model whose audio is as long as its text.
 *
 * @example createVoiceAgents({ providers: [scriptedRealtime()], … })
 */
export function scriptedRealtime(options: ScriptedRealtimeOptions = {}): ScriptedRealtime {
  const sessions: ScriptedRealtimeSession[] = [];
  const formats = [{ encoding: 'pcmu', sampleRateHz: 8_000 }] as const;
  return {
    kind: 'realtime',
    id: options.id ?? 'scripted_realtime',
    inputFormats: formats,
    outputFormats: formats,
    sessions,
    open(sessionOptions) {
      const session = new ScriptedSession(options, sessionOptions);
      sessions.push(session);
      return session;
    },
  };
}

class ScriptedSession implements ScriptedRealtimeSession {
  readonly options: RealtimeSessionOptions;
  readonly commands: SessionCommand[] = [];
  readonly #script: ScriptedRealtimeOptions;
  readonly #events = new EventQueue<RealtimeEvent>();
  readonly #cancelled = new Set<number>();
  #bytes = 0;
  #commits = 0;
  #responses = 0;
  #active: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(script: ScriptedRealtimeOptions, options: RealtimeSessionOptions) {
    this.#script = script;
    this.options = options;
    options.signal.addEventListener('abort', () => this.close(), { once: true });
  }

  get closed(): boolean {
    return this.#closed;
  }

  send(audio: Uint8Array): void {
    this.#bytes += audio.length;
  }

  commit(turn: number): void {
    this.commands.push({ type: 'commit', turn, bytes: this.#bytes });
    this.#bytes = 0;
    const { turns = [] } = this.#script;
    const text = typeof turns === 'function' ? turns(this.options.clock.nowMs()) : (turns[this.#commits] ?? '');
    this.#commits += 1;
    const emitText = (): void => this.#events.push({ type: 'user-text', turn, text });
    this.options.clock.setTimer(this.#script.wordsDelayMs ?? 300, emitText);
  }

  addMessage(role: 'user' | 'system', text: string): void {
    this.commands.push({ type: 'message', role, text });
  }

  addToolResult(callId: string, output: string): void {
    this.commands.push({ type: 'tool-result', callId, output });
  }

  respond(response: number, { withTools, say }: { withTools: boolean; say?: string }): void {
    this.commands.push({ type: 'respond', response, withTools, say: say ?? null });
    const script = say === undefined ? this.#nextScript() : [{ type: 'text', text: say } as const];
    // One response at a time, as at the provider.
    this.#active = this.#active.then(() => this.#play(response, script));
  }

  cancel(response: number): void {
    this.commands.push({ type: 'cancel', response });
    this.#cancelled.add(response);
  }

  truncate(item: string, heardMs: number): void {
    this.commands.push({ type: 'truncate', item, heardMs });
  }

  update({ instructions }: { instructions: string }): void {
    this.commands.push({ type: 'instructions', text: instructions });
  }

  fail(error: Error): void {
    this.#events.fail(error);
  }

  close(): void {
    this.#closed = true;
    this.#events.discard();
  }

  [Symbol.asyncIterator](): AsyncIterator<RealtimeEvent> {
    return this.#events[Symbol.asyncIterator]();
  }

  #nextScript(): ScriptedResponse {
    const { responses = [] } = this.#script;
    const script = responses[Math.min(this.#responses, responses.length - 1)] ?? [];
    this.#responses += 1;
    return script;
  }

  async #play(response: number, script: ScriptedResponse): Promise<void> {
    const item = `item-${response}`;
    await this.#pause(this.#script.delayMs ?? 100);
    for (const part of script) {
      if (this.#cancelled.has(response) || this.#closed) break;
      if (part instanceof Error) {
        this.#events.push({ type: 'response-failed', response, retryable: true, message: part.message });
        return;
      }
      if (typeof part === 'number') await this.#pause(part);
      else if (part.type === 'tool-call') this.#events.push({ type: 'tool-call', response, call: part.call });
      else if (part.type === 'usage') this.#events.push(part);
      else this.#speak(response, item, part.text);
    }
    const status = this.#cancelled.has(response) ? 'cancelled' : 'completed';
    this.#events.push({ type: 'response-done', response, status });
  }

  #speak(response: number, item: string, text: string): void {
    const { msPerLetter = 50, readable = false } = this.#script;
    const audio = readable ? soundOf(text, { msPerLetter }) : new Uint8Array(text.length * msPerLetter * 8).fill(0x2a);
    this.#events.push({ type: 'audio', response, item, audio });
    for (const word of text.match(/\s*\S+/g) ?? []) this.#events.push({ type: 'text', response, item, text: word });
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.options.clock.setTimer(ms, resolve);
    });
  }
}
