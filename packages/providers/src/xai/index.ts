import type { RealtimeModel } from '@va/core/adapter';
import { formatOf, type RealtimeDialect, toolOf } from '../realtime/dialect.ts';
import { type RealtimeModelOptions, realtimeModel } from '../realtime/model.ts';
import { xaiRealtimeOptions } from '../realtime/options.ts';
import { readOptions } from '../shared/options/options.ts';
import { xaiCatalog } from './catalog.ts';

/** Options of {@link xaiRealtime}. */
export type XaiRealtimeOptions = RealtimeModelOptions;

/** Limit of this adapter; the service documents none. */
const maxKeyterms = 100;

const dialect: RealtimeDialect = {
  id: 'xai_realtime',
  aliases: ['vendor_realtime'],
  vendor: 'xai',
  catalog: xaiCatalog,
  optionsSchema: xaiRealtimeOptions,
  publicUrl: 'wss://api.x.ai/v1',
  keyVariable: 'XAI_API_KEY',
  defaultModel: 'grok-voice-latest',
  maxSessionMs: 30 * 60_000,
  session({ config, logger, instructions, tools, hints = [], inputFormat, outputFormat }) {
    const settings = readOptions(xaiRealtimeOptions, config, 'xai_realtime', logger);
    const { language, reasoning_effort: effort = 'none' } = settings;
    return {
      ...settings.options,
      voice: config.voice ?? 'ara',
      instructions,
      turn_detection: null,
      audio: {
        input: {
          format: formatOf(inputFormat),
          transcription: {
            ...(language !== undefined && { language_hint: language }),
            ...(hints.length > 0 && { keyterms: hints.slice(0, maxKeyterms) }),
          },
        },
        output: { format: formatOf(outputFormat) },
      },
      tools: tools.map(toolOf),
      reasoning: { effort },
    };
  },
  instructions: (text) => ({ instructions: text }),
  // The model may not follow instructions exactly. This item is spoken word for word, and its response is reported like
  // any other.
  say: (text) => ({
    type: 'conversation.item.create',
    item: { type: 'force_message', role: 'assistant', content: [{ type: 'output_text', text }] },
  }),
};

/**
 * Creates the adapter of xAI's speech-to-speech models. `llm_config.model` is `grok-voice-latest` by default;
 * `llm_config.voice` is one of `ara` (the default), `rex`, `sal`, `eve` and `leo`.
 * @see https://docs.x.ai/docs/guides/voice/agent
 * @example createVoiceAgents({ providers: [xaiRealtime()], … }); // an agent: { llm_config: { provider:
 * 'xai_realtime', voice: 'eve' } }
 */
export function xaiRealtime(options: XaiRealtimeOptions = {}): RealtimeModel {
  return realtimeModel(dialect, options);
}
