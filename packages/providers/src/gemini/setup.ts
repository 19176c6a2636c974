import type { LlmConfig } from '@va/core';
import type { LlmTool, Logger } from '@va/core/adapter';
import type { ConversationEntry } from '../realtime/conversation.ts';
import { parseFields, type VendorFields } from '../shared/json.ts';
import { readOptions } from '../shared/options/options.ts';
import { geminiLiveOptions } from './options.ts';

/** Parameters of the session that come from the agent. */
interface SetupSettings {
  readonly config: LlmConfig;
  readonly logger: Logger;
  readonly instructions: string;
  readonly tools: readonly LlmTool[];
}

/** Parameters of the session that differ between connections. */
interface SetupState {
  readonly model: string;
  /** Handle of the session to resume. */
  readonly handle: string | undefined;
  /** True if the conversation so far follows as `clientContent`. */
  readonly hasHistory: boolean;
}

/**
 * Returns true if the history must be announced in `historyConfig`: Gemini 3 accepts `clientContent` only then, earlier
 * models do not need it.
 */
export function announcesHistory(model: string): boolean {
  return !/gemini-[12]\b/.test(model);
}

/**
 * Returns the first message of a connection. The pipeline decides on turns, so the activity detection is off.
 * @see https://ai.google.dev/api/live#BidiGenerateContentSetup
 */
export function setupOf(settings: SetupSettings, { model, handle, hasHistory }: SetupState): VendorFields {
  const { config, logger, instructions, tools } = settings;
  const own = readOptions(geminiLiveOptions, config, 'gemini_live', logger);
  const { language, top_p: topP, top_k: topK, max_output_tokens: maxOutputTokens, thinking_budget: budget } = own;
  return {
    setup: {
      // A sliding window lifts the limit of 15 minutes for a session.
      contextWindowCompression: { slidingWindow: {} },
      ...own.options,
      model: model.includes('/') ? model : `models/${model}`,
      generationConfig: {
        responseModalities: ['AUDIO'],
        speechConfig: {
          voiceConfig: { prebuiltVoiceConfig: { voiceName: config.voice ?? 'Puck' } },
          ...(language !== undefined && { languageCode: language }),
        },
        ...(config.temperature !== undefined && { temperature: config.temperature }),
        ...(topP !== undefined && { topP }),
        ...(topK !== undefined && { topK }),
        ...(maxOutputTokens !== undefined && { maxOutputTokens }),
        ...(budget !== undefined && { thinkingConfig: { thinkingBudget: budget } }),
        ...(own.affective_dialog !== undefined && { enableAffectiveDialog: own.affective_dialog }),
      },
      systemInstruction: { parts: [{ text: instructions }] },
      // An empty list is refused by some models.
      ...(tools.length > 0 && { tools: [{ functionDeclarations: tools.map(declarationOf) }] }),
      realtimeInputConfig: { automaticActivityDetection: { disabled: true } },
      sessionResumption: handle === undefined ? {} : { handle },
      ...(hasHistory && announcesHistory(model) && { historyConfig: { initialHistoryInClientContent: true } }),
      inputAudioTranscription: {},
      outputAudioTranscription: {},
    },
  };
}

function declarationOf({ name, description, parameters }: LlmTool): VendorFields {
  return { name, description, parametersJsonSchema: parameters };
}

/** Returns the conversation so far as turns of text. Instructions to the model are turns of the user. */
export function turnsOf(entries: readonly ConversationEntry[]): VendorFields[] {
  const names = new Map<string, string>();
  return entries.flatMap((entry): VendorFields[] => {
    if (entry.kind === 'call') {
      const { id, name, arguments: text } = entry.call;
      names.set(id, name);
      return [{ role: 'model', parts: [{ functionCall: { id, name, args: parseFields(text) ?? {} } }] }];
    }
    if (entry.kind === 'output') {
      const { callId, output } = entry;
      return [{ role: 'user', parts: [{ functionResponse: responseOf(callId, names.get(callId) ?? '', output) }] }];
    }
    if (entry.text === undefined || entry.text.trim() === '') return [];
    const role = entry.kind === 'message' && entry.role === 'assistant' ? 'model' : 'user';
    return [{ role, parts: [{ text: entry.text }] }];
  });
}

/** Returns the `FunctionResponse` of a tool call. */
export function responseOf(id: string, name: string, output: string): VendorFields {
  return { id, name, response: { output } };
}
