import type { SpeechToText } from '@va/core/adapter';
import { z } from 'zod';
import { identityOf, type ProviderIdentity } from '../shared/identity.ts';
import { languageSubtagOf, readOptions } from '../shared/options/options.ts';
import { openaiTranscriptionCatalog } from './catalog.ts';
import { type AudioHostOptions, audioEndpoint } from './speech-endpoint.ts';
import { TranscriptionStream } from './transcription-stream.ts';

const fallbackModel = 'gpt-4o-mini-transcribe';

/**
 * Settings of `stt_config` beside the common ones.
 * @see https://platform.openai.com/docs/api-reference/audio/createTranscription
 */
const optionsSchema = z.object({
  /** Text that guides the model's style; the key terms follow it. */
  prompt: z.string().max(2_000).optional(),
  temperature: z.number().min(0).max(1).optional(),
});

/** Options of {@link openaiTranscription}. */
export interface OpenAiTranscriptionOptions extends ProviderIdentity, AudioHostOptions {
  /** Model of agents without `stt_config.model`. Default: `gpt-4o-mini-transcribe`. */
  readonly defaultModel?: string;
}

/**
 * Creates the adapter of OpenAI's transcription (`/v1/audio/transcriptions`), and of every service with the same
 * endpoint, such as speaches and vLLM. Speech is sent when the pipeline has detected its end, so there are no partial
 * transcripts.
 *
 * @example openaiTranscription({ id: 'whisper', baseURL: 'http://speaches.internal:8000/v1', defaultModel:
 *   'Systran/faster-whisper-small' })
 */
export function openaiTranscription(options: OpenAiTranscriptionOptions = {}): SpeechToText {
  const identity = identityOf(options, { id: 'openai', vendor: 'openai', catalog: openaiTranscriptionCatalog });
  return {
    kind: 'stt',
    ...identity,
    optionsSchema,
    formats: [
      { encoding: 'pcm16', sampleRateHz: 8_000 },
      { encoding: 'pcm16', sampleRateHz: 16_000 },
    ],
    open(stream) {
      const { config, logger, apiKey } = stream;
      const { prompt, temperature } = readOptions(optionsSchema, config, identity.id, logger);
      const language = languageSubtagOf(config.language);
      const target = {
        endpoint: audioEndpoint(identity.id, '/audio/transcriptions', options, apiKey),
        model: config.model ?? options.defaultModel ?? fallbackModel,
        prompt,
        fields: {
          ...(language !== undefined && { language }),
          ...(temperature !== undefined && { temperature: String(temperature) }),
        },
      };
      return new TranscriptionStream(target, stream);
    },
  };
}
