import type { G711Encoding } from '../audio/g711.ts';
import type { ConversationConfig, Ending } from '../conversation/config.ts';
import type { ConversationNotice } from '../conversation/effects.ts';
import { Pipeline } from '../conversation/pipeline.ts';
import { ConversationRunner } from '../conversation/runner.ts';
import type { ToolOutcome } from '../conversation/tool-ledger.ts';
import type { FunctionTool } from '../domain/tool.ts';
import { toError, VaError } from '../errors.ts';
import { type MediaEvent, MediaPlane } from '../media/media-plane.ts';
import type { Ticker } from '../media/ticker.ts';
import { chooseFormat, fromLeg, toLeg } from '../media/transcoder.ts';
import type { Clock } from '../ports/clock.ts';
import type { LanguageModel, ToolCallRequest } from '../ports/language-model.ts';
import type { Logger } from '../ports/logger.ts';
import type { RecordingSink } from '../ports/recordings.ts';
import type { SpeechToText } from '../ports/speech-to-text.ts';
import type { DtmfDigit, MediaLeg } from '../ports/telephony.ts';
import type { TextToSpeech } from '../ports/text-to-speech.ts';
import type { VoiceActivityDetector } from '../ports/voice-activity.ts';
import type { Assistant } from './assistant.ts';
import type { OwnKeys } from './own-keys.ts';
import type { ProviderRegistry } from './provider-registry.ts';
import type { Scope } from './scope.ts';
import { fillTemplate } from './template.ts';

const maxToolSteps = 5;

export interface ConversationSetup {
  readonly assistant: Assistant;
  /** Fill the placeholders in prompt and first message; null leaves them as they are. */
  readonly variables: Readonly<Record<string, unknown>> | null;
  readonly leg: MediaLeg;
  readonly registry: ProviderRegistry;
  /** The organization's, for these providers. */
  readonly keys: OwnKeys;
  readonly ticker: Ticker;
  readonly detector: VoiceActivityDetector;
  readonly recording: RecordingSink | null;
  readonly mediaTimeout: { readonly initialMs: number; readonly generalMs: number };
  readonly clock: Clock;
  readonly logger: Logger;
  readonly scope: Scope;
  readonly runTool: (call: ToolCallRequest, tool: FunctionTool, args: Record<string, unknown>) => Promise<ToolOutcome>;
  readonly onNotice: (notice: ConversationNotice) => void;
  readonly onDtmf: (digit: DtmfDigit) => void;
  readonly onEnd: (ending: Ending) => void;
}

/**
 * What the assistant listens, thinks and speaks with: looked for before the call is answered, as without them it cannot
 * hold a conversation at all.
 * @throws VaError `agent_incomplete`, `unknown_provider`
 */
export function requireProviders(
  assistant: Assistant,
  registry: ProviderRegistry,
): { recognizer: SpeechToText; model: LanguageModel; synthesizer: TextToSpeech } {
  const { sttConfig, llmConfig, ttsConfig } = configsOf(assistant);
  return {
    recognizer: registry.find('stt', sttConfig.provider),
    model: registry.find('llm', llmConfig.provider),
    synthesizer: registry.find('tts', ttsConfig.provider),
  };
}

function configsOf({ sttConfig, llmConfig, ttsConfig }: Assistant): {
  sttConfig: NonNullable<Assistant['sttConfig']>;
  llmConfig: NonNullable<Assistant['llmConfig']>;
  ttsConfig: NonNullable<Assistant['ttsConfig']>;
} {
  if (sttConfig === null || llmConfig === null || ttsConfig === null) {
    throw new VaError('agent_incomplete', 'The agent needs stt_config, llm_config and tts_config to take a call.');
  }
  return { sttConfig, llmConfig, ttsConfig };
}

/** A provider refused to begin: the call ends as if it had failed later. */
export class ProviderRefusal extends VaError {
  readonly reason: 'stt_error' | 'tts_error';

  constructor(reason: 'stt_error' | 'tts_error', cause: unknown) {
    super(reason, toError(cause).message, { cause });
    this.reason = reason;
  }
}

function opened<T>(reason: ProviderRefusal['reason'], open: () => T): T {
  try {
    return open();
  } catch (thrown) {
    throw new ProviderRefusal(reason, thrown);
  }
}

/**
 * Puts media plane, reducer and providers of an answered call together, and starts them.
 * @throws ProviderRefusal
 */
export function startConversation(setup: ConversationSetup): ConversationRunner {
  const { assistant, leg, keys, clock, logger, scope } = setup;
  const { sttConfig, llmConfig, ttsConfig } = configsOf(assistant);
  const encoding = legEncoding(leg);
  const { recognizer, model, synthesizer } = requireProviders(assistant, setup.registry);
  const sttFormat = chooseFormat(recognizer.formats, leg.format);
  const ttsFormat = chooseFormat(synthesizer.formats, leg.format);
  const common = { clock, logger, signal: scope.signal };
  const runner = new ConversationRunner(conversationConfig(assistant, setup.variables), setup);
  const stt = opened('stt_error', () =>
    recognizer.open({ ...common, ...keys.of(recognizer), config: sttConfig, format: sttFormat, hints: [] }),
  );
  scope.onClose(() => stt.close());
  const tts = opened('tts_error', () =>
    synthesizer.open({ ...common, ...keys.of(synthesizer), config: ttsConfig, format: ttsFormat }),
  );
  scope.onClose(() => tts.close());
  const toRecognizer = fromLeg(encoding, sttFormat);

  const media = new MediaPlane({
    ...setup,
    encoding,
    vad: assistant.speechConfig.vad,
    onAudio: (codes, samples) => stt.send(toRecognizer(codes, samples)),
    onEvent: (event, atMs) => forward(event, atMs),
  });
  scope.onClose(() => media.stop());

  function forward(event: MediaEvent, atMs: number): void {
    switch (event.type) {
      case 'playout':
        runner.dispatch({ type: `playout-${event.event.type}`, utterance: event.event.utterance }, atMs);
        return;
      case 'dtmf':
        setup.onDtmf(event.digit);
        runner.dispatch({ type: 'dtmf', digit: event.digit.digit }, atMs);
        return;
      default:
        runner.dispatch(event, atMs);
    }
  }

  runner.connect(
    new Pipeline({
      ...common,
      runner,
      stt,
      tts,
      llm: model,
      llmKey: keys.of(model),
      llmConfig,
      tools: llmConfig.tools,
      playout: media,
      createEncoder: () => toLeg(ttsFormat, encoding),
      runTool: setup.runTool,
    }),
  );
  media.start();
  runner.dispatch({ type: 'answered' });
  return runner;
}

/** The system prompt of an assistant, with its placeholders filled where there are variables. */
export function systemPromptOf(
  { llmConfig }: Assistant,
  variables: Readonly<Record<string, unknown>> | null,
): ConversationConfig['systemPrompt'] {
  return (llmConfig?.messages ?? [])
    .filter(({ role }) => role === 'system')
    .map(({ role, content }) => ({ role, content: variables === null ? content : fillTemplate(content, variables) }));
}

function conversationConfig(
  assistant: Assistant,
  variables: Readonly<Record<string, unknown>> | null,
): ConversationConfig {
  const { llmConfig, firstMessage } = assistant;
  return {
    firstMessage: firstMessage === null || variables === null ? firstMessage : fillTemplate(firstMessage, variables),
    systemPrompt: systemPromptOf(assistant, variables),
    tools: llmConfig?.tools ?? [],
    speech: assistant.speechConfig,
    maxDurationMs: assistant.maxDurationSeconds * 1_000,
    maxToolSteps,
  };
}

function legEncoding(leg: MediaLeg): G711Encoding {
  const { encoding } = leg.format;
  if (encoding === 'pcm16') throw new VaError('unsupported_format', 'A telephone leg carries G.711.');
  return encoding;
}
