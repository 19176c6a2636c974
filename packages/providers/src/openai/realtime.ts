import type { RealtimeModel } from '@va/core';
import { formatOf, type RealtimeDialect, toolOf } from '../realtime/dialect.ts';
import { type RealtimeModelOptions, realtimeModel } from '../realtime/model.ts';
import { openAiRealtimeOptions } from '../realtime/options.ts';
import { languageCodeOf, readOptions } from '../shared/options.ts';

export interface OpenAiRealtimeOptions extends RealtimeModelOptions {
  /** Of what the caller said; `gpt-4o-mini-transcribe` by default. */
  readonly transcriptionModel?: string;
}

function dialectOf({ transcriptionModel = 'gpt-4o-mini-transcribe' }: OpenAiRealtimeOptions): RealtimeDialect {
  return {
    id: 'openai_realtime',
    vendor: 'openai',
    optionsSchema: openAiRealtimeOptions,
    publicUrl: 'wss://api.openai.com/v1',
    keyVariable: 'OPENAI_API_KEY',
    defaultModel: 'gpt-realtime',
    maxSessionMs: 60 * 60_000,
    session({ config, logger, instructions, tools, inputFormat, outputFormat }) {
      const settings = readOptions(openAiRealtimeOptions, config, 'openai_realtime', logger);
      const { speed, noise_reduction, max_output_tokens, reasoning_effort } = settings;
      // The transcription takes ISO 639-1: the language without its region.
      const language = languageCodeOf(settings.language);
      return {
        type: 'realtime',
        output_modalities: ['audio'],
        instructions,
        audio: {
          input: {
            format: formatOf(inputFormat),
            transcription: { model: transcriptionModel, ...(language !== undefined && { language }) },
            turn_detection: null,
            ...(noise_reduction !== undefined && { noise_reduction: { type: noise_reduction } }),
          },
          output: {
            format: formatOf(outputFormat),
            voice: config.voice ?? 'marin',
            ...(speed !== undefined && { speed }),
          },
        },
        ...(max_output_tokens !== undefined && { max_output_tokens }),
        ...(reasoning_effort !== undefined && { reasoning: { effort: reasoning_effort } }),
        tools: tools.map(toolOf),
        tool_choice: 'auto',
      };
    },
    instructions: (text) => ({ type: 'realtime', instructions: text }),
    say: (text) => ({
      type: 'response.create',
      response: {
        conversation: 'auto',
        output_modalities: ['audio'],
        instructions: `Say exactly the following text, word for word, and nothing else:\n\n${text}`,
        tools: [],
        tool_choice: 'none',
      },
    }),
  };
}

/**
 * OpenAI's speech-to-speech models. `llm_config.model` is `gpt-realtime` by default, `llm_config.voice` `marin`.
 * @see https://platform.openai.com/docs/guides/realtime
 */
export function openaiRealtime(options: OpenAiRealtimeOptions = {}): RealtimeModel {
  return realtimeModel(dialectOf(options), options);
}
