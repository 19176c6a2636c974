import { BeepDetector } from '../audio/beep-detector.ts';
import type { G711Encoding } from '../audio/g711.ts';
import { defaultAnsweringSettings } from '../conversation/answering/answering-machine.ts';
import type { ConversationConfig, Ending } from '../conversation/config.ts';
import type { ConversationNotice } from '../conversation/effects.ts';
import { type ConversationHost, ConversationRunner } from '../conversation/runner.ts';
import type { RunTool } from '../conversation/tool-running.ts';
import { defaultContextSettings } from '../domain/context-settings.ts';
import { VaError } from '../errors.ts';
import { type MediaEvent, MediaPlane } from '../media/media-plane.ts';
import type { SpeechJudge } from '../media/speech-judge.ts';
import type { Ticker } from '../media/ticker.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { RecordingSink } from '../ports/recordings.ts';
import type { DtmfDigit, MediaLeg } from '../ports/telephony.ts';
import type { FixedSpeechCache } from '../providers/fixed-speech.ts';
import type { ProviderCircuits } from '../providers/provider-circuits.ts';
import type { Assistant } from './assistant.ts';
import type { CascadeProviders, RealtimeProviders } from './call-providers.ts';
import { LegTransfers } from './leg-transfers.ts';
import type { OwnKeys } from './own-keys.ts';
import type { Scope } from './scope.ts';
import { fillTemplate } from './template.ts';
import { openVoice, type Voice } from './voice.ts';

const maxToolSteps = 5;

export interface ConversationSetup {
  readonly assistant: Assistant;
  /** What the assistant asks for. */
  readonly providers: CascadeProviders | RealtimeProviders;
  /** Fill the placeholders in prompt and first message; null leaves them as they are. */
  readonly variables: Readonly<Record<string, unknown>> | null;
  /** Finds out who has answered, for a call that was placed. */
  readonly answering: { readonly voicemailMessage: string | null } | null;
  readonly leg: MediaLeg;
  readonly orgId: string;
  /** The organization's, for these providers. */
  readonly keys: OwnKeys;
  readonly circuits: ProviderCircuits;
  readonly fixedSpeech: FixedSpeechCache;
  readonly ticker: Ticker;
  readonly judge: SpeechJudge;
  readonly recording: RecordingSink | null;
  readonly mediaTimeout: { readonly initialMs: number; readonly generalMs: number };
  readonly clock: Clock;
  readonly logger: Logger;
  readonly scope: Scope;
  readonly runTool: RunTool;
  readonly onNotice: (notice: ConversationNotice) => void;
  readonly onDtmf: (digit: DtmfDigit) => void;
  readonly onEnd: (ending: Ending) => void;
  readonly advance?: ConversationHost['advance'];
}

/**
 * Puts media plane, reducer and providers of an answered call together, and starts them.
 * @throws ProviderRefusal
 */
export function startConversation(setup: ConversationSetup): ConversationRunner {
  const { assistant, providers, variables, answering, leg, scope } = setup;
  const encoding = legEncoding(leg);
  const systemPrompt = systemPromptOf(assistant, variables);
  const voice = openVoice(providers, { ...setup, encoding, legFormat: leg.format, systemPrompt });
  const runner = new ConversationRunner(
    {
      ...conversationConfig(assistant, systemPrompt, variables, voice),
      answering: answeringConfig(assistant, answering),
      canTransfer: leg.transfer !== undefined,
    },
    setup,
  );

  const beeps = answering === null ? null : new BeepDetector();
  const media = new MediaPlane({
    ...setup,
    encoding,
    vad: assistant.speechConfig.vad,
    ambient: assistant.speechConfig.ambient,
    onAudio: (codes, samples) => {
      voice.hear(codes, samples);
      if (beeps?.push(samples)) runner.dispatch({ type: 'beep' });
    },
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

  runner.connect(voice.connect(runner, media), new LegTransfers({ ...setup, runner, signal: scope.signal }));
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
  systemPrompt: ConversationConfig['systemPrompt'],
  variables: Readonly<Record<string, unknown>> | null,
  { judgesTurns, isRealtime }: Voice,
): Omit<ConversationConfig, 'answering' | 'canTransfer'> {
  const { llmConfig, firstMessage } = assistant;
  const language = assistant.sttConfig?.language;
  return {
    firstMessage: firstMessage === null || variables === null ? firstMessage : fillTemplate(firstMessage, variables),
    systemPrompt,
    tools: llmConfig?.tools ?? [],
    context: llmConfig?.context ?? defaultContextSettings,
    speech: assistant.speechConfig,
    reading: {
      language,
      normalize: assistant.speechConfig.normalize_text,
      pronunciations: assistant.speechConfig.pronunciations,
    },
    language,
    judgesTurns,
    isRealtime,
    maxDurationMs: assistant.maxDurationSeconds * 1_000,
    maxToolSteps,
  };
}

function answeringConfig(
  { sttConfig }: Assistant,
  answering: ConversationSetup['answering'],
): ConversationConfig['answering'] {
  if (answering === null) return null;
  return { ...answering, settings: { ...defaultAnsweringSettings, language: sttConfig?.language } };
}

function legEncoding(leg: MediaLeg): G711Encoding {
  const { encoding } = leg.format;
  if (encoding === 'pcm16') throw new VaError('unsupported_format', 'A telephone leg carries G.711.');
  return encoding;
}
