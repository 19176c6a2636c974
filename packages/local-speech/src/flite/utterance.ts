import { setMaxListeners } from 'node:events';
import {
  type AudioFormat,
  EventQueue,
  ProviderError,
  type TtsEvent,
  type TtsUtterance,
  toError,
} from '@va/core/adapter';
import { encodeG711 } from '@va/media';
import { clauseAudio } from './clause-audio.ts';
import type { SynthesisQueue } from './synthesis-queue.ts';
import type { FliteVoice } from './voices.ts';

const samplesPerMs = 8;
const chunkSamples = 100 * samplesPerMs;

function encode(encoding: AudioFormat['encoding'], samples: Int16Array): Uint8Array {
  if (encoding !== 'pcm16') return encodeG711(encoding, samples);
  return new Uint8Array(samples.slice().buffer);
}

/** Synthesizes pushed text, clause by clause. */
export class FliteUtterance implements TtsUtterance {
  readonly #queue: SynthesisQueue;
  readonly #voice: FliteVoice;
  readonly #encoding: AudioFormat['encoding'];
  readonly #events = new EventQueue<TtsEvent>();
  readonly #cancelled = new AbortController();
  /** Resolves when all pushed text has been synthesized. */
  #spoken: Promise<void> = Promise.resolve();
  #spokenMs = 0;
  #pushed = false;
  #ended = false;

  constructor(queue: SynthesisQueue, voice: FliteVoice, encoding: AudioFormat['encoding']) {
    this.#queue = queue;
    this.#voice = voice;
    this.#encoding = encoding;
    // Each waiting clause adds a listener, and a long text has more of them than Node's warning limit.
    setMaxListeners(0, this.#cancelled.signal);
  }

  [Symbol.asyncIterator](): AsyncIterator<TtsEvent> {
    return this.#events[Symbol.asyncIterator]();
  }

  push(text: string): void {
    if (this.#ended || text.trim() === '') return;
    this.#pushed = true;
    if (!/[\p{L}\p{N}]/u.test(text)) return;
    const samples = this.#queue.synthesize(text, this.#voice, this.#cancelled.signal);
    this.#spoken = Promise.all([samples, this.#spoken]).then(([synthesized]) => this.#emit(text, synthesized));
    this.#spoken.catch((thrown) => this.#events.fail(toError(thrown)));
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#spoken.then(
      () => this.#finish(),
      () => undefined,
    );
  }

  cancel(): void {
    this.#ended = true;
    this.#events.discard();
    this.#cancelled.abort();
  }

  #emit(text: string, synthesized: Int16Array): void {
    const { samples, words } = clauseAudio(text, synthesized);
    if (words.length > 0) {
      const shifted = words.map(({ text: word, startMs, endMs }) => ({
        text: word,
        startMs: startMs + this.#spokenMs,
        endMs: endMs + this.#spokenMs,
      }));
      this.#events.push({ type: 'words', words: shifted });
    }
    for (let at = 0; at < samples.length; at += chunkSamples) {
      this.#events.push({ type: 'audio', audio: encode(this.#encoding, samples.subarray(at, at + chunkSamples)) });
    }
    this.#spokenMs += samples.length / samplesPerMs;
  }

  #finish(): void {
    if (this.#pushed && this.#spokenMs === 0) {
      this.#events.fail(new ProviderError('flite', 'protocol', 'the text produced no audio'));
    } else {
      this.#events.end();
    }
  }
}
