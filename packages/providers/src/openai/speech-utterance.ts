import { type Clock, ProviderError, type TtsEvent, type TtsUtterance } from '@va/core/adapter';
import { splitText } from '../shared/speech/split-text.ts';
import { type AudioEndpoint, AudioRequest } from './speech-endpoint.ts';

/** Maximum of `input` of the service, in characters. */
const maxInputLength = 4_096;
/** Maximum of the audio of one request: 5 minutes at 24 kHz, which 4,096 characters do not reach. */
const maxAudioBytes = 24_000 * 2 * 300;
/** Maximum number of open requests: the next one is sent while the audio of the current one is read. */
const maxRequests = 2;

/** Endpoint and fixed fields of the requests of a session. */
export interface HttpSpeechTarget {
  readonly endpoint: AudioEndpoint;
  readonly clock: Clock;
  /** Fields of each request beside `input`. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Streams the audio of one request in whole samples. */
class SpeechRequest {
  readonly #request: AudioRequest;
  readonly #id: string;
  readonly #response: Promise<Response>;

  constructor({ endpoint, clock, fields }: HttpSpeechTarget, input: string) {
    this.#id = endpoint.id;
    this.#request = new AudioRequest(endpoint, clock);
    this.#response = this.#request.send(JSON.stringify({ ...fields, input }), maxAudioBytes);
    // The reader of the audio receives the error.
    this.#response.catch(() => {});
  }

  async *audio(): AsyncGenerator<Uint8Array, void, undefined> {
    const response = await this.#response;
    const type = response.headers.get('content-type') ?? '';
    if (/json|text|html|mpeg|wav|ogg|opus|flac|aac/.test(type)) {
      throw new ProviderError(this.#id, 'protocol', `the service sent ${type.slice(0, 100)} instead of PCM audio`);
    }
    const reader = response.body?.getReader();
    let odd: Uint8Array = new Uint8Array(0);
    let received = 0;
    for (;;) {
      const read = await this.#request.awaiting(async () => await reader?.read());
      if (read?.value === undefined) break;
      received += read.value.length;
      const bytes = new Uint8Array(odd.length + read.value.length);
      bytes.set(odd);
      bytes.set(read.value, odd.length);
      const whole = bytes.length & ~1;
      odd = bytes.slice(whole);
      if (whole > 0) yield bytes.subarray(0, whole);
    }
    if (received === 0) throw new ProviderError(this.#id, 'protocol', 'the text produced no audio');
  }

  cancel(): void {
    this.#request.cancel();
  }
}

/** Utterance over HTTP. Each request has the text that was collected while earlier requests were spoken. */
export class HttpUtterance implements TtsUtterance {
  readonly #target: HttpSpeechTarget;
  readonly #onEnd: () => void;
  readonly #requests: SpeechRequest[] = [];
  #waiting = '';
  #ended = false;
  #cancelled = false;
  #wake: (() => void) | undefined;

  constructor(target: HttpSpeechTarget, onEnd: () => void) {
    this.#target = target;
    this.#onEnd = onEnd;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TtsEvent, void, undefined> {
    try {
      while (!this.#cancelled) {
        const [request] = this.#requests;
        if (request !== undefined) {
          for await (const audio of request.audio()) {
            if (this.#cancelled) return;
            yield { type: 'audio', audio };
          }
          this.#requests.shift();
          this.#start();
        } else if (this.#ended) return;
        else await this.#moreText();
      }
    } catch (thrown) {
      if (!this.#cancelled) throw thrown;
    } finally {
      this.cancel();
    }
  }

  push(text: string): void {
    if (this.#ended || text.trim() === '') return;
    this.#waiting = this.#waiting === '' ? text.trim() : `${this.#waiting} ${text.trim()}`;
    this.#start();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  cancel(): void {
    this.#cancelled = true;
    this.#ended = true;
    this.#waiting = '';
    for (const request of this.#requests.splice(0)) request.cancel();
    this.#wake?.();
    this.#onEnd();
  }

  #start(): void {
    while (this.#waiting !== '' && this.#requests.length < maxRequests) {
      const [input = '', ...rest] = splitText(this.#waiting, maxInputLength);
      this.#waiting = rest.join('');
      this.#requests.push(new SpeechRequest(this.#target, input.trimEnd()));
    }
    this.#wake?.();
  }

  async #moreText(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }
}
