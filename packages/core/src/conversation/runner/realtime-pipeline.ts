import { frameMs } from '@va/media';
import { toError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { ModelUsage } from '../../ports/providers/model-usage.ts';
import type { RealtimeEvent, RealtimeSession } from '../../ports/providers/realtime-model.ts';
import type { VoiceEffect } from '../state/effects.ts';
import type { ConversationRunner, EffectHandler, EventInput, PlayoutControl } from './runner.ts';
import { RunningTools, type RunTool } from './running-tools.ts';

export interface RealtimePipelineOptions {
  readonly runner: ConversationRunner;
  readonly session: RealtimeSession;
  readonly playout: PlayoutControl;
  /** Bytes of the leg's audio per millisecond. */
  readonly bytesPerMs: number;
  /** Converts the caller's frames to the session's format. */
  readonly decode: (payload: Uint8Array) => Uint8Array;
  /** Creates a converter of the model's audio to the leg's encoding, for one response. */
  readonly createEncoder: () => (audio: Uint8Array) => Uint8Array;
  readonly runTool: RunTool;
  readonly onFailure?: (thrown: unknown) => void;
  readonly onUsage?: (usage: ModelUsage) => void;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Length of the audio before the detected start of speech that is sent too: the detector needs some frames to be sure.
 */
const prefixMs = 400;

/** A requested response: the model's own reply, or a fixed text that it reads out. */
interface Response {
  readonly id: number;
  readonly encode: (audio: Uint8Array) => Uint8Array;
  utterance: number | null;
  /** The provider's messages in the response, each with the position of its start in the response's audio. */
  readonly items: { readonly item: string; readonly fromMs: number }[];
  receivedMs: number;
  isDone: boolean;
}

/** A speech-to-speech model in place of recognizer, model and synthesizer. */
export class RealtimePipeline implements EffectHandler {
  readonly #options: RealtimePipelineOptions;
  readonly #responses = new Map<number, Response>();
  readonly #utterances = new Map<number, Response>();
  /** Fixed texts being assembled, by utterance. */
  readonly #texts = new Map<number, string[]>();
  readonly #before: Uint8Array[] = [];
  readonly #tools: RunningTools;
  #isListening = false;
  #isCallerMuted = false;

  constructor(options: RealtimePipelineOptions) {
    this.#options = options;
    this.#tools = new RunningTools(options);
    void this.#read(options.session);
  }

  /** Takes the caller's next frame. Silence is not sent to the model, which charges for it. */
  onFrame(payload: Uint8Array): void {
    if (this.#isCallerMuted) return;
    const audio = this.#options.decode(payload);
    if (this.#isListening) {
      this.#options.session.send(audio);
      return;
    }
    this.#before.push(audio.slice());
    if (this.#before.length > prefixMs / frameMs) this.#before.shift();
  }

  handle(effect: VoiceEffect): void {
    const { session, playout } = this.#options;
    switch (effect.type) {
      case 'stt-speech-started':
        this.#isListening = true;
        for (const audio of this.#before.splice(0)) session.send(audio);
        return;
      case 'caller-muted':
        this.#isCallerMuted = effect.isMuted;
        this.#before.length = 0;
        return;
      case 'finalize-stt':
        this.#isListening = false;
        session.commit(effect.part);
        return;
      case 'start-llm':
        this.#expect(effect.generation);
        session.respond(effect.generation, { withTools: effect.withTools });
        return;
      case 'cancel-llm':
        this.#giveUp(effect.generation);
        return;
      case 'open-utterance':
        playout.open(effect.utterance);
        if (effect.generation === null) this.#texts.set(effect.utterance, []);
        else this.#voice(this.#responses.get(effect.generation), effect.utterance);
        return;
      case 'speak':
        this.#texts.get(effect.utterance)?.push(effect.text);
        return;
      case 'end-utterance':
        this.#readOut(effect.utterance);
        return;
      case 'cancel-utterance':
        this.#texts.delete(effect.utterance);
        this.#giveUp(this.#utterances.get(effect.utterance)?.id);
        return;
      case 'finish-playout':
        playout.finish(effect.utterance);
        return;
      case 'clear-playout':
        playout.clear();
        return;
      case 'pause-playout':
        playout.pause();
        return;
      case 'resume-playout':
        playout.resume();
        return;
      case 'set-taken-over':
        playout.setTakenOver(effect.isTakenOver);
        return;
      case 'set-hold':
        playout.setHold(effect.isOnHold);
        return;
      case 'set-voice-level':
        playout.setLevel(effect.db);
        return;
      case 'cut-short':
        this.#truncate(effect.utterance, effect.playedMs);
        return;
      case 'model-told':
        session.addMessage(effect.role, effect.text);
        return;
      case 'model-instructed':
        session.update({ instructions: instructionsOf(effect.systemPrompt) });
        return;
      case 'tool-output':
        session.addToolResult(effect.callId, effect.output);
        return;
      case 'prepare-speech':
      case 'drop-speech':
        // The model voices its replies itself, and none is prepared.
        return;
      case 'run-tool':
        this.#tools.run(effect);
        return;
      case 'cancel-tool':
        this.#tools.cancel(effect.callId);
        return;
    }
  }

  #dispatch(event: EventInput): void {
    if (!this.#options.signal.aborted) this.#options.runner.dispatch(event);
  }

  async #read(session: RealtimeSession): Promise<void> {
    try {
      for await (const event of session) this.#take(event);
      this.#dispatch({ type: 'model-lost', message: 'The speech-to-speech model ended its session.' });
    } catch (thrown) {
      const { signal, logger, onFailure } = this.#options;
      if (!signal.aborted) {
        logger.warn({ err: toError(thrown) }, 'speech-to-speech failed');
        onFailure?.(thrown);
      }
      this.#dispatch({ type: 'model-lost', message: toError(thrown).message });
    }
  }

  #take(event: RealtimeEvent): void {
    if (event.type === 'user-text') {
      this.#dispatch(event);
      return;
    }
    if (event.type === 'usage') {
      this.#options.onUsage?.(event.usage);
      return;
    }
    const response = this.#responses.get(event.response);
    if (response === undefined) return;
    const { id } = response;
    switch (event.type) {
      case 'text':
        if (!this.#isReadOut(response)) this.#dispatch({ type: 'llm-text', generation: id, text: event.text });
        return;
      case 'audio':
        this.#play(response, event.item, event.audio);
        return;
      case 'tool-call':
        this.#dispatch({ type: 'llm-tool-call', generation: id, call: event.call });
        return;
      case 'response-done':
        this.#done(response);
        return;
      case 'response-failed':
        this.#failed(response, event);
        return;
    }
  }

  #expect(id: number): Response {
    const encode = this.#options.createEncoder();
    const response: Response = { id, encode, utterance: null, items: [], receivedMs: 0, isDone: false };
    this.#responses.set(id, response);
    return response;
  }

  /** Returns true if the response reads out a fixed text: such a response has the id of its utterance. */
  #isReadOut({ id, utterance }: Response): boolean {
    return id === utterance;
  }

  #readOut(utterance: number): void {
    const texts = this.#texts.get(utterance);
    if (texts === undefined) return;
    this.#texts.delete(utterance);
    this.#voice(this.#expect(utterance), utterance);
    this.#options.session.respond(utterance, { withTools: false, say: texts.join(' ') });
  }

  #voice(response: Response | undefined, utterance: number): void {
    if (response === undefined) return;
    response.utterance = utterance;
    this.#utterances.set(utterance, response);
  }

  #play(response: Response, item: string, audio: Uint8Array): void {
    // The first audio may precede the first word: an empty text opens the utterance.
    if (response.utterance === null) this.#dispatch({ type: 'llm-text', generation: response.id, text: '' });
    const { utterance } = response;
    if (utterance === null) return;
    if (response.items.at(-1)?.item !== item) response.items.push({ item, fromMs: response.receivedMs });
    const payload = response.encode(audio);
    const durationMs = payload.length / this.#options.bytesPerMs;
    response.receivedMs += durationMs;
    this.#options.playout.play(utterance, payload);
    this.#dispatch({ type: 'tts-audio', utterance, durationMs });
  }

  #done(response: Response): void {
    response.isDone = true;
    this.#responses.delete(response.id);
    if (!this.#isReadOut(response)) this.#dispatch({ type: 'llm-done', generation: response.id });
    if (response.utterance !== null) this.#dispatch({ type: 'tts-done', utterance: response.utterance });
  }

  #failed(response: Response, { retryable, message }: { retryable: boolean; message: string }): void {
    const { id, utterance } = response;
    response.isDone = true;
    this.#responses.delete(id);
    if (this.#isReadOut(response)) {
      if (utterance !== null) this.#dispatch({ type: 'tts-failed', utterance, retryable, message });
      return;
    }
    this.#dispatch({ type: 'llm-failed', generation: id, retryable, message });
    if (utterance !== null) this.#dispatch({ type: 'tts-done', utterance });
  }

  #giveUp(id: number | undefined): void {
    if (id === undefined || !this.#responses.delete(id)) return;
    this.#options.session.cancel(id);
  }

  /** Tells the model how much of an utterance was played: it must not treat unheard text as said. */
  #truncate(utterance: number, playedMs: number): void {
    const response = this.#utterances.get(utterance);
    if (response === undefined) return;
    this.#utterances.delete(utterance);
    for (const { item, fromMs } of response.items) {
      this.#options.session.truncate(item, Math.max(0, Math.min(playedMs, response.receivedMs) - fromMs));
    }
  }
}

export function instructionsOf(systemPrompt: readonly { readonly content: string }[]): string {
  return systemPrompt.map(({ content }) => content).join('\n\n');
}
