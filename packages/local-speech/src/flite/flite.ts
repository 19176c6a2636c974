import { ProviderError, type TextToSpeech, type TtsSession, type TtsSessionOptions } from '@va/core/adapter';
import { z } from 'zod';
import { type SynthesisQueue, synthesisQueue } from './synthesis-queue.ts';
import { FliteUtterance } from './utterance.ts';
import { describedVoices, type FliteVoice, fliteVoices, isFliteVoice } from './voices.ts';

class FliteSession implements TtsSession {
  readonly #queue: SynthesisQueue;
  readonly #voice: FliteVoice;
  readonly #encoding: TtsSessionOptions['format']['encoding'];
  readonly #utterances: FliteUtterance[] = [];
  #closed = false;

  constructor(queue: SynthesisQueue, voice: FliteVoice, { format, signal }: TtsSessionOptions) {
    this.#queue = queue;
    this.#voice = voice;
    this.#encoding = format.encoding;
    queue.acquire();
    if (signal.aborted) this.close();
    else signal.addEventListener('abort', () => this.close(), { once: true });
  }

  speak(): FliteUtterance {
    const utterance = new FliteUtterance(this.#queue, this.#voice, this.#encoding);
    this.#utterances.push(utterance);
    if (this.#closed) utterance.cancel();
    return utterance;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const utterance of this.#utterances) utterance.cancel();
    this.#queue.release();
  }
}

/**
 * Creates a synthesizer that runs flite in a worker thread. `tts_config.voiceId` is `slt` (the default), `rms`, `awb`
 * or `kal`; with another one `open` throws a `ProviderError` of fault `invalid_request`.
 *
 * @example createVoiceAgents({ providers: [flite(), …], … }); // an agent: { tts_config: { provider: 'flite', voiceId:
 * 'rms' } }
 */
export function flite(): TextToSpeech {
  return {
    kind: 'tts',
    id: 'flite',
    isLocal: true,
    optionsSchema: z.object({ voiceId: z.enum(fliteVoices).optional() }),
    voices: describedVoices,
    formats: [
      { encoding: 'pcmu', sampleRateHz: 8_000 },
      { encoding: 'pcma', sampleRateHz: 8_000 },
      { encoding: 'pcm16', sampleRateHz: 8_000 },
    ],
    open(options) {
      const voice = options.config.voiceId ?? 'slt';
      if (!isFliteVoice(voice)) {
        const known = fliteVoices.join(', ');
        throw new ProviderError('flite', 'invalid_request', `there is no voice "${voice}"; choose one of ${known}.`);
      }
      return new FliteSession(synthesisQueue, voice, options);
    },
  };
}
