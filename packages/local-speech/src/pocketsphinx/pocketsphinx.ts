import type { SpeechToText } from '@va/core/adapter';
import { SharedWorker } from '../worker/shared-worker.ts';
import { PocketSphinxStream } from './stream.ts';
import { vocabularyOf, vocabularySchema } from './vocabulary.ts';

export const recognitionWorker: SharedWorker = new SharedWorker('pocketsphinx.js');

/**
 * Creates a recognizer that matches speech against a grammar, by PocketSphinx in a worker thread: `stt_config` is
 * `{provider: 'pocketsphinx', grammar: string}` (JSGF) or `{provider: 'pocketsphinx', phrases: string[]}`. Any speech
 * is recognized as something that the grammar accepts. `open` throws a `ProviderError` of fault `invalid_request` for
 * another shape and for words that the CMU dictionary does not have.
 *
 * @example createVoiceAgents({ providers: [pocketsphinx(), …], … }); // an agent: { stt_config: { provider:
 * 'pocketsphinx', phrases: ['yes', 'no'] } }
 */
export function pocketsphinx(): SpeechToText {
  return {
    kind: 'stt',
    id: 'pocketsphinx',
    isLocal: true,
    optionsSchema: vocabularySchema,
    formats: [
      { encoding: 'pcmu', sampleRateHz: 8_000 },
      { encoding: 'pcma', sampleRateHz: 8_000 },
      { encoding: 'pcm16', sampleRateHz: 8_000 },
    ],
    open: ({ config, format, hints, signal }) =>
      new PocketSphinxStream(recognitionWorker, vocabularyOf(config, hints), format, signal),
  };
}
