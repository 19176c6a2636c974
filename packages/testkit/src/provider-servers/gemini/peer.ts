import type { WebSocket } from 'ws';
import { objectOf, textOf } from '../local-server.ts';
import type { MessageFields } from '../message-fields.ts';
import { tone } from '../realtime/tone.ts';
import type { GeminiConnection, GeminiFault, GeminiReply } from './behaviour.ts';

const format = { encoding: 'pcm16', sampleRateHz: 24_000 } as const;
const msPerWord = 100;
const garbage = [
  '{"serverContent":',
  '[]',
  '7',
  '{"serverContent":7}',
  '{"serverContent":{"modelTurn":{"parts":[7,{"inlineData":7},{"inlineData":{"data":{}}}]}}}',
  '{"serverContent":{"inputTranscription":{"text":5},"outputTranscription":null}}',
  '{"toolCall":{"functionCalls":[7,{"id":1}]}}',
  '{"toolCallCancellation":{"ids":7}}',
  '{"usageMetadata":{"promptTokenCount":"many"}}',
  '{"somethingNew":{}}',
];

/** Server that a connection belongs to: the remaining transcripts and replies, and its session handles. */
interface GeminiPeerHost {
  readonly transcripts: string[];
  readonly replies: GeminiReply[];
  nextHandle(): string;
}

/** The service's side of one connection. */
export class GeminiPeer {
  readonly #host: GeminiPeerHost;
  readonly #socket: WebSocket;
  readonly #connection: GeminiConnection;
  readonly #fault: GeminiFault | undefined;
  #isReady = false;
  #activityBytes: number | undefined;
  /** Number of the generation; a higher one ends its predecessor. */
  #generation = 0;
  #isGenerating = false;
  readonly #pendingCalls = new Set<string>();

  constructor(host: GeminiPeerHost, socket: WebSocket, connection: GeminiConnection, fault: GeminiFault | undefined) {
    this.#host = host;
    this.#socket = socket;
    this.#connection = connection;
    this.#fault = fault;
    socket.on('message', (data) => {
      if (socket.readyState === socket.OPEN) this.#received(objectOf(textOf(data)));
    });
  }

  /** Announces the end of the connection. */
  goAway(timeLeft: string): void {
    this.#send({ goAway: { timeLeft } });
  }

  #received(message: MessageFields): void {
    const { setup, clientContent, realtimeInput, toolResponse } = message;
    const input = objectIn(realtimeInput);
    if (input.audio === undefined) this.#connection.messages.push(message);
    if (!this.#isReady) this.#setUp(setup);
    else if (toolResponse !== undefined) this.#answered(objectIn(toolResponse));
    else if (realtimeInput !== undefined) this.#heard(input);
    else if (clientContent === undefined || !this.#takesContent(objectIn(clientContent))) {
      this.#refuse('Request contains an invalid argument.');
    }
  }

  #setUp(setup: unknown): void {
    const fault = this.#fault;
    if (typeof fault === 'object' && 'closeCode' in fault) {
      this.#socket.close(fault.closeCode, fault.reason);
      return;
    }
    if (!/^models\//.test(String(objectIn(setup).model))) {
      this.#refuse('Request contains an invalid argument.');
      return;
    }
    this.#connection.setup = objectIn(setup);
    if (fault === 'no-setup') return;
    this.#isReady = true;
    this.#send({ setupComplete: {} });
    if (fault === 'huge-frame') this.#socket.send(Buffer.alloc(17 * 1024 * 1024, ' '));
    if (fault === 'deaf') this.#socket.pause();
  }

  /**
   * Handles client content; returns false if the service refuses it. Gemini 3 accepts it only as the initial history
   * that the setup announced. The end of a history requests no response.
   */
  #takesContent({ turns, turnComplete }: MessageFields): boolean {
    const { model, historyConfig } = this.#connection.setup;
    const isHistory = objectIn(historyConfig).initialHistoryInClientContent === true;
    if (!Array.isArray(turns) || (/gemini-3/.test(String(model)) && !isHistory)) return false;
    if (turnComplete === true && !isHistory) this.#generate();
    return true;
  }

  #heard({ activityStart, activityEnd, audio, text }: MessageFields): void {
    if (activityStart !== undefined) {
      this.#activityBytes = 0;
      this.#interrupt();
    }
    if (audio !== undefined) {
      const bytes = Buffer.from(String(objectIn(audio).data), 'base64').length;
      this.#connection.audioBytes += bytes;
      if (this.#activityBytes === undefined) this.#connection.strayBytes += bytes;
      else this.#activityBytes += bytes;
    }
    if (activityEnd === undefined || this.#activityBytes === undefined) {
      if (text !== undefined && this.#activityBytes === undefined) this.#generate();
      return;
    }
    if (this.#fault === 'cut-at-request') {
      this.#socket.terminate();
      return;
    }
    if (this.#activityBytes > 0) {
      for (const piece of (this.#host.transcripts.shift() ?? 'turn').split(/(?<= )/)) {
        this.#send({ serverContent: { inputTranscription: { text: piece } } });
      }
    }
    this.#activityBytes = undefined;
    this.#generate();
  }

  #answered({ functionResponses }: MessageFields): void {
    const responses: unknown[] = Array.isArray(functionResponses) ? functionResponses : [];
    for (const each of responses) this.#pendingCalls.delete(String(objectIn(each).id));
    if (this.#pendingCalls.size === 0) this.#generate();
  }

  #interrupt(): void {
    if (this.#pendingCalls.size > 0) {
      this.#send({ toolCallCancellation: { ids: [...this.#pendingCalls] } });
      this.#pendingCalls.clear();
    }
    if (!this.#isGenerating) return;
    this.#isGenerating = false;
    this.#generation++;
    if (this.#fault === 'no-end') return;
    this.#send({ serverContent: { interrupted: true } });
    this.#send({ serverContent: { turnComplete: true } });
  }

  #generate(): void {
    this.#generation++;
    this.#isGenerating = true;
    this.#send({ sessionResumptionUpdate: { resumable: false } });
    void this.#speak(this.#generation, this.#host.replies.shift() ?? { text: 'Okay.' });
  }

  async #speak(generation: number, { text, calls = [], holdAfterWords }: GeminiReply): Promise<void> {
    const words = this.#fault === 'mute' ? [] : (text?.split(/(?<= )/) ?? []);
    for (const [at, word] of words.entries()) {
      if (at === holdAfterWords) return;
      const audio = Buffer.from(tone(format, msPerWord));
      const cuts = this.#fault === 'odd-audio' ? [audio.subarray(0, 1), audio.subarray(1)] : [audio];
      for (const cut of cuts) this.#send({ serverContent: { modelTurn: { role: 'model', parts: [blobOf(cut)] } } });
      this.#send({ serverContent: { outputTranscription: { text: word } } });
      await new Promise((resolve) => setTimeout(resolve, 10));
      if (generation !== this.#generation || this.#socket.readyState !== this.#socket.OPEN) return;
    }
    this.#isGenerating = false;
    if (calls.length > 0) {
      for (const { id } of calls) this.#pendingCalls.add(id);
      this.#send({ toolCall: { functionCalls: calls } });
      return;
    }
    this.#send({ serverContent: { generationComplete: true } });
    this.#send({ serverContent: { turnComplete: true }, usageMetadata: usageOf(words.length) });
    this.#send({ sessionResumptionUpdate: { newHandle: this.#host.nextHandle(), resumable: true } });
  }

  #refuse(reason: string): void {
    this.#socket.close(1007, reason);
  }

  /** Sends a message as JSON in a binary frame, as the service does. */
  #send(message: MessageFields): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#fault === 'garbage') for (const text of garbage) this.#socket.send(Buffer.from(text));
    this.#socket.send(Buffer.from(JSON.stringify(message)));
  }
}

function blobOf(audio: Buffer): MessageFields {
  return { inlineData: { mimeType: 'audio/pcm;rate=24000', data: audio.toString('base64') } };
}

function usageOf(words: number): MessageFields {
  return {
    promptTokenCount: 20,
    responseTokenCount: words * 3,
    totalTokenCount: 20 + words * 3,
    promptTokensDetails: [
      { modality: 'TEXT', tokenCount: 5 },
      { modality: 'AUDIO', tokenCount: 15 },
    ],
    responseTokensDetails: [{ modality: 'AUDIO', tokenCount: words * 3 }],
  };
}

function objectIn(value: unknown): MessageFields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
