import { type AudioFormat, EventQueue, ProviderError, type SttEvent, type SttStream } from '@va/core/adapter';
import { decodeG711 } from '@va/media';
import type { SharedWorker, WorkerLease, WorkerUser } from '../worker/shared-worker.ts';
import { LookBack } from './look-back.ts';
import type { Vocabulary } from './vocabulary.ts';

/**
 * Audio included from before the detected start of an utterance: the VAD reports speech 50–100 ms after its onset, and
 * onsets are soft.
 */
const lookBackMs = 400;
const samplesPerMs = 8;

type FromWorker =
  | { channel: number; type: 'partial' | 'ended'; text: string }
  | { channel: number; type: 'failed'; error: string };

let channels = 0;

/** A decoder in the recognition thread. It decodes from `speechStarted` to `finalize`; other audio is only buffered. */
export class PocketSphinxStream implements SttStream, WorkerUser {
  readonly #events = new EventQueue<SttEvent>();
  readonly #encoding: AudioFormat['encoding'];
  readonly #lease: WorkerLease;
  readonly #channel = channels++;
  readonly #lookBack = new LookBack(lookBackMs * samplesPerMs);
  #listening = false;
  #unanswered = 0;

  constructor(worker: SharedWorker, vocabulary: Vocabulary, format: AudioFormat, signal: AbortSignal) {
    this.#encoding = format.encoding;
    this.#lease = worker.lease(this);
    this.#post('open', { ...vocabulary });
    if (signal.aborted) this.close();
    else signal.addEventListener('abort', () => this.close(), { once: true });
  }

  [Symbol.asyncIterator](): AsyncIterator<SttEvent> {
    return this.#events[Symbol.asyncIterator]();
  }

  send(audio: Uint8Array): void {
    const samples = this.#decode(audio);
    if (this.#listening) this.#post('audio', { samples });
    else this.#lookBack.add(samples);
  }

  speechStarted(): void {
    if (this.#listening) return;
    this.#listening = true;
    this.#post('start');
    this.#post('audio', { samples: this.#lookBack.take() });
  }

  finalize(): void {
    if (!this.#listening) {
      this.#events.push({ type: 'finalized' });
      return;
    }
    this.#listening = false;
    this.#unanswered++;
    this.#post('end');
    this.#lease.await(true);
  }

  close(): void {
    this.#post('close');
    this.#lease.release();
    this.#events.discard();
  }

  onMessage(message: unknown): void {
    const heard = message as FromWorker;
    if (heard.channel !== this.#channel) return;
    if (heard.type === 'failed') this.#fail('invalid_request', heard.error);
    else if (heard.type === 'partial') this.#events.push({ type: 'partial', text: heard.text });
    else this.#settle(heard.text);
  }

  onLost(error: Error): void {
    this.#fail('unavailable', 'the recognition thread died', error);
  }

  #settle(text: string): void {
    if (text !== '') this.#events.push({ type: 'final', text });
    this.#events.push({ type: 'finalized' });
    this.#unanswered--;
    this.#lease.await(this.#unanswered > 0);
  }

  #fail(fault: 'invalid_request' | 'unavailable', message: string, cause?: Error): void {
    this.#lease.release();
    this.#events.fail(new ProviderError('pocketsphinx', fault, message, { cause }));
  }

  #post(type: string, fields: Record<string, unknown> = {}): void {
    this.#lease.post({ channel: this.#channel, type, ...fields });
  }

  #decode(audio: Uint8Array): Int16Array {
    if (this.#encoding !== 'pcm16') return decodeG711(this.#encoding, audio);
    // Copies, because the bytes may start at an odd address.
    return new Int16Array(audio.slice(0, audio.length & ~1).buffer);
  }
}
