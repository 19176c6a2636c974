import {
  EventQueue,
  type LanguageModel,
  type LlmRequest,
  ProviderError,
  type TextToSpeech,
  type TtsEvent,
  type TtsSessionOptions,
  type TtsUtterance,
  type WordTiming,
} from '@va/core/adapter';
import type { Reply, Scene } from './scene.ts';

const msPerLetter = 40;
const bytesPerMs = 8;
const lost = (): ProviderError => new ProviderError('fuzz', 'connection', 'lost');
const refused = (): ProviderError => new ProviderError('fuzz', 'auth', 'refused');

/** Word timings of one synthesized utterance. */
export interface SpokenUtterance {
  readonly words: WordTiming[];
}

/** Returns the code of all samples of an utterance, which identifies it at the far end. */
export function codeOf(utterance: number): number {
  return 1 + (utterance % 120);
}

const audioByCode = new Map<number, Uint8Array>();

/**
 * Returns a number of bytes of one code. Views of a shared buffer, because filling new ones was slow; callers must not
 * write to them.
 */
function audioOf(code: number, bytes: number): Uint8Array {
  const known = audioByCode.get(code);
  if (known !== undefined && known.length >= bytes) return known.subarray(0, bytes);
  const audio = new Uint8Array(bytes).fill(code);
  audioByCode.set(code, audio);
  return audio;
}

/**
 * A TTS that gives each utterance its own code, in chunks of any size; it can be slow, fail in the middle, or give no
 * audio.
 */
export function fuzzVoice(scene: Scene['synthesizer'], spoken: SpokenUtterance[]): TextToSpeech {
  return {
    kind: 'tts',
    id: 'fuzz',
    formats: [{ encoding: 'pcmu', sampleRateHz: 8_000 }],
    open: (session) => ({
      speak() {
        const own: SpokenUtterance = { words: [] };
        const index = spoken.push(own) - 1;
        return new FuzzUtterance(scene, session, own, index);
      },
      close() {},
    }),
  };
}

class FuzzUtterance implements TtsUtterance {
  readonly #scene: Scene['synthesizer'];
  readonly #session: TtsSessionOptions;
  readonly #own: SpokenUtterance;
  readonly #index: number;
  readonly #events = new EventQueue<TtsEvent>();
  #waiting = 0;
  #ended = false;
  #madeMs = 0;

  constructor(scene: Scene['synthesizer'], session: TtsSessionOptions, own: SpokenUtterance, index: number) {
    this.#scene = scene;
    this.#session = session;
    this.#own = own;
    this.#index = index;
  }

  push(text: string): void {
    this.#waiting += 1;
    const { delayMs } = this.#scene;
    if (delayMs === 0) this.#speak(text);
    else this.#session.clock.setTimer(delayMs, () => this.#speak(text));
  }

  end(): void {
    this.#ended = true;
    if (this.#waiting === 0) this.#events.end();
  }

  cancel(): void {
    this.#events.discard();
  }

  [Symbol.asyncIterator](): AsyncIterator<TtsEvent> {
    return this.#events[Symbol.asyncIterator]();
  }

  #speak(text: string): void {
    const { breakEvery, muteEvery, chunkBytes } = this.#scene;
    this.#waiting -= 1;
    if (muteEvery > 0 && this.#index % muteEvery === 3) {
      this.#events.fail(lost());
      return;
    }
    const breaks = breakEvery > 0 && this.#index % breakEvery === 1;
    const words = [...text.matchAll(/\S+/g)].map((match) => ({
      text: match[0],
      startMs: this.#madeMs + match.index * msPerLetter,
      endMs: this.#madeMs + (match.index + match[0].length) * msPerLetter,
    }));
    this.#own.words.push(...words);
    this.#events.push({ type: 'words', words });
    const durationMs = text.length * msPerLetter * (breaks ? 0.5 : 1);
    const audio = audioOf(codeOf(this.#index), durationMs * bytesPerMs);
    for (let at = 0; at < audio.length; at += chunkBytes) {
      this.#events.push({ type: 'audio', audio: audio.subarray(at, at + chunkBytes) });
    }
    this.#madeMs += durationMs;
    if (breaks) this.#events.fail(lost());
    else if (this.#ended && this.#waiting === 0) this.#events.end();
  }
}

/** A model that replies by the scene and continues for a while after it was aborted. */
export function fuzzModel(replies: readonly Reply[], requests: LlmRequest[]): LanguageModel {
  return {
    kind: 'llm',
    id: 'fuzz',
    async *stream(request) {
      const index = requests.push(request) - 1;
      for (const part of replies[index % replies.length] ?? []) {
        if ('text' in part) yield { type: 'text', text: part.text };
        else if ('call' in part) {
          yield { type: 'tool-call', call: { id: part.id, name: part.call, arguments: part.args } };
        } else if ('tokens' in part) {
          yield { type: 'usage', usage: { inputTokens: part.tokens, outputTokens: 1 } };
        } else if ('fails' in part) throw part.fails === 'once' ? lost() : refused();
        else {
          await new Promise<void>((resolve) => {
            request.clock.setTimer(part.pauseMs, resolve);
          });
        }
      }
    },
  };
}
