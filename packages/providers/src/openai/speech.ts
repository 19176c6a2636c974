import type { Voice } from '@va/core';
import type { TextToSpeech, TtsSession, TtsSessionOptions } from '@va/core/adapter';
import { z } from 'zod';
import { identityOf, type ProviderIdentity } from '../shared/identity.ts';
import { readOptions } from '../shared/options/options.ts';
import { openaiSpeechCatalog } from './catalog.ts';
import { type AudioHostOptions, audioEndpoint } from './speech-endpoint.ts';
import { type HttpSpeechTarget, HttpUtterance } from './speech-utterance.ts';

const fallbackModel = 'gpt-4o-mini-tts';
const fallbackVoice = 'alloy';

/**
 * Settings of `tts_config` beside the common ones.
 * @see https://platform.openai.com/docs/api-reference/audio/createSpeech
 */
const optionsSchema = z.object({
  /** Style of the speech, such as "Speak calmly." Ignored by `tts-1` and `tts-1-hd`. */
  instructions: z.string().max(4_000).optional(),
  speed: z.number().min(0.25).max(4).optional(),
});

/** Options of {@link openaiSpeech}. */
export interface OpenAiSpeechOptions extends ProviderIdentity, AudioHostOptions {
  /** Voices listed by GET /voices. */
  readonly voices?: readonly Voice[];
  /** Model of agents without `tts_config.model`. Default: `gpt-4o-mini-tts`. */
  readonly defaultModel?: string;
  /** Voice of agents without `tts_config.voiceId`. Default: `alloy`. */
  readonly defaultVoiceId?: string;
}

/**
 * Creates the adapter of OpenAI's speech (`/v1/audio/speech`), and of every service with the same endpoint, such as
 * Kokoro and speaches. The service has to stream `response_format: "pcm"`: 16-bit mono samples at 24 kHz.
 *
 * @example openaiSpeech({ id: 'kokoro', baseURL: 'http://kokoro.internal:8880/v1', defaultModel: 'kokoro',
 *   defaultVoiceId: 'af_heart' })
 */
export function openaiSpeech(options: OpenAiSpeechOptions = {}): TextToSpeech {
  const { voices } = options;
  const identity = identityOf(options, { id: 'openai', vendor: 'openai', catalog: openaiSpeechCatalog });
  return {
    kind: 'tts',
    ...identity,
    optionsSchema,
    ...(voices !== undefined && { voices }),
    formats: [{ encoding: 'pcm16', sampleRateHz: 24_000 }],
    open: (session) => openSession(targetOf(identity.id, options, session), session.signal),
  };
}

function targetOf(id: string, options: OpenAiSpeechOptions, session: TtsSessionOptions): HttpSpeechTarget {
  const { config, logger, clock, apiKey } = session;
  const model = config.model ?? options.defaultModel ?? fallbackModel;
  const { instructions, speed } = readOptions(optionsSchema, config, id, logger);
  return {
    endpoint: audioEndpoint(id, '/audio/speech', options, apiKey),
    clock,
    fields: {
      model,
      voice: config.voiceId ?? options.defaultVoiceId ?? fallbackVoice,
      response_format: 'pcm',
      ...(instructions !== undefined && !model.startsWith('tts-1') && { instructions }),
      ...(speed !== undefined && { speed }),
    },
  };
}

function openSession(target: HttpSpeechTarget, signal: AbortSignal): TtsSession {
  const utterances = new Set<HttpUtterance>();
  let closed = false;
  const close = (): void => {
    closed = true;
    signal.removeEventListener('abort', close);
    for (const utterance of utterances) utterance.cancel();
  };
  if (signal.aborted) close();
  else signal.addEventListener('abort', close, { once: true });
  return {
    close,
    speak() {
      const utterance = new HttpUtterance(target, () => utterances.delete(utterance));
      if (closed) utterance.cancel();
      else utterances.add(utterance);
      return utterance;
    },
  };
}
