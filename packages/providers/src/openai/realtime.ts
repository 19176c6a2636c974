import type { RealtimeModel } from '@va/core/adapter';
import { formatOf, type RealtimeDialect, toolOf } from '../realtime/dialect.ts';
import { type RealtimeModelOptions, realtimeModel } from '../realtime/model.ts';
import { openAiRealtimeOptions } from '../realtime/options.ts';
import { languageSubtagOf, readOptions } from '../shared/options/options.ts';
import { openaiRealtimeCatalog } from './catalog.ts';
import { promptOf } from './transcription-prompt.ts';

/** Options of {@link openaiRealtime}. */
export interface OpenAiRealtimeOptions extends RealtimeModelOptions {
  /** Transcription model of the caller's speech. Default: `gpt-4o-mini-transcribe`. */
  readonly transcriptionModel?: string;
}

/**
 * Returns the effort to request if the agent sets none: the lowest, because reasoning delays the speech. Undefined for
 * models that do not reason.
 */
function defaultEffort(model: string): 'minimal' | undefined {
  return /^gpt-realtime-2(?:[.-]|$)/.test(model) ? 'minimal' : undefined;
}

const fallbackModel = 'gpt-realtime';

function dialectOf(options: OpenAiRealtimeOptions): RealtimeDialect {
  const { transcriptionModel = 'gpt-4o-mini-transcribe', defaultModel = fallbackModel } = options;
  return {
    id: 'openai_realtime',
    vendor: 'openai',
    catalog: openaiRealtimeCatalog,
    optionsSchema: openAiRealtimeOptions,
    publicUrl: 'wss://api.openai.com/v1',
    keyVariable: 'OPENAI_API_KEY',
    defaultModel: fallbackModel,
    transcriptionModel,
    maxSessionMs: 60 * 60_000,
    session({ config, logger, instructions, tools, hints = [], inputFormat, outputFormat }) {
      const settings = readOptions(openAiRealtimeOptions, config, 'openai_realtime', logger);
      const { speed, noise_reduction, max_output_tokens } = settings;
      const effort = settings.reasoning_effort ?? defaultEffort(config.model ?? defaultModel);
      // The transcription accepts ISO 639-1: the language without its region.
      const language = languageSubtagOf(settings.language);
      return {
        ...settings.options,
        type: 'realtime',
        output_modalities: ['audio'],
        instructions,
        audio: {
          input: {
            format: formatOf(inputFormat),
            transcription: {
              model: transcriptionModel,
              ...(language !== undefined && { language }),
              ...promptOf(transcriptionModel, hints),
            },
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
        ...(effort !== undefined && { reasoning: { effort } }),
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
 * Creates the adapter of OpenAI's speech-to-speech models. `llm_config.model` is `gpt-realtime` by default,
 * `llm_config.voice` `marin`.
 * @see https://platform.openai.com/docs/guides/realtime
 * @example createVoiceAgents({ providers: [openaiRealtime()], … }); // an agent: { llm_config: { provider:
 * 'openai_realtime' } }
 */
export function openaiRealtime(options: OpenAiRealtimeOptions = {}): RealtimeModel {
  return realtimeModel(dialectOf(options), options);
}
