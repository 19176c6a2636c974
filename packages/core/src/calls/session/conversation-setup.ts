import {
  BeepDetector,
  type DtmfDigit,
  decodeFrame,
  encodingOf,
  type MediaEvent,
  MediaPlane,
  type MediaSettings,
  type MediaThread,
  StereoRecording,
  type Ticker,
  type VadBatcher,
} from '@va/media';
import { defaultAnsweringSettings } from '../../conversation/answering/answering-machine.ts';
import type { ConversationConfig, Ending } from '../../conversation/config.ts';
import type { ConversationNotice } from '../../conversation/effects.ts';
import { type ConversationHost, ConversationRunner } from '../../conversation/runner.ts';
import { piecesOf } from '../../conversation/speech.ts';
import type { RunTool } from '../../conversation/tool-running.ts';
import { defaultContextSettings } from '../../domain/agents/context-settings.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { AudioFormat } from '../../ports/media/audio-format.ts';
import type { RecordingSink } from '../../ports/recordings.ts';
import type { MediaLeg } from '../../ports/telephony.ts';
import type { FixedSpeechCache } from '../../providers/fixed-speech.ts';
import type { OwnKeys } from '../../providers/own-keys.ts';
import type { ProviderCircuits } from '../../providers/provider-circuits.ts';
import type { ProviderWatch } from '../../providers/provider-watch.ts';
import type { Assistant } from '../assistant.ts';
import { Scope } from '../scope.ts';
import { fillTemplate } from '../template.ts';
import type { CascadeProviders, RealtimeProviders } from './call-providers.ts';
import { Keyterms } from './keyterms.ts';
import { type CallerHandover, LegTransfers } from './leg-transfers.ts';
import { openVoice, type Voice } from './voice.ts';

const maxToolSteps = 5;

export interface ConversationSetup {
  readonly assistant: Assistant;
  /** What the assistant asks for. */
  readonly providers: CascadeProviders | RealtimeProviders;
  /** Fill the placeholders in prompt and first message; null leaves them as they are. */
  readonly variables: Readonly<Record<string, unknown>> | null;
  /** Key terms of the call; those of the assistant by default. */
  readonly keyterms?: Keyterms;
  /** Finds out who has answered, for a call that was placed. */
  readonly answering: { readonly voicemailMessage: string | null } | null;
  /** Of a call that was placed; false by default. */
  readonly greetsWhenHeard?: boolean;
  /** Where the service can hand the caller over itself; null by default. */
  readonly handover?: CallerHandover | null;
  /** Returns why a transfer is refused; all destinations are allowed by default. */
  readonly mayTransferTo?: (destination: string) => Promise<string | null>;
  readonly orgId: string;
  /** The organization's, for these providers. */
  readonly keys: OwnKeys;
  readonly circuits: ProviderCircuits;
  readonly fixedSpeech: FixedSpeechCache;
  readonly ticker: Ticker;
  readonly judge: VadBatcher;
  readonly mediaTimeout: { readonly initialMs: number; readonly generalMs: number };
  readonly clock: Clock;
  readonly logger: Logger;
  readonly scope: Scope;
  readonly runTool: RunTool;
  readonly onNotice: (notice: ConversationNotice) => void;
  readonly onDtmf: (digit: DtmfDigit) => void;
  readonly onEnd: (ending: Ending) => void;
  /** The media stop; the promise resolves when the recording has all of them. */
  readonly onStopping?: (stopped: Promise<void>) => void;
  readonly advance?: ConversationHost['advance'];
  readonly watch?: ProviderWatch | undefined;
}

/** What is there once the call is answered. */
export interface AnsweredLeg {
  readonly leg: MediaLeg;
  readonly recording: RecordingSink | null;
}

/** A conversation that can begin at once: its providers are connected. */
export interface PreparedConversation {
  /** Resolves when the first message can be heard without delay, or cannot be had before. */
  readonly greetingReady: Promise<void>;
  /**
   * Starts it. Where the leg speaks something else than what was prepared for, the providers are connected anew.
   * @throws ProviderRefusal
   */
  begin(answered: AnsweredLeg): ConversationRunner;
}

/**
 * Connects the providers of a call that rings, and has the first message spoken ahead.
 * @throws ProviderRefusal
 */
export function prepareConversation(setup: ConversationSetup, format: AudioFormat): PreparedConversation {
  const { assistant, variables, scope, logger } = setup;
  const own = new Scope(logger);
  scope.onClose(() => own.close());
  const systemPrompt = systemPromptOf(assistant, variables);
  const voice = openVoice(setup.providers, {
    ...setup,
    scope: own,
    encoding: encodingOf(format),
    legFormat: format,
    systemPrompt,
    keyterms: setup.keyterms ?? new Keyterms(assistant.sttConfig?.keyterms, variables),
    language: assistant.sttConfig?.language,
  });
  const config = conversationConfig(setup, systemPrompt, voice);
  return {
    // Whoever is called is not always greeted: a voicemail is left another message.
    greetingReady: setup.answering === null ? voice.prepare(firstPieces(config)) : Promise.resolve(),
    begin(answered) {
      if (answered.leg.format.encoding !== format.encoding) {
        own.close();
        return startConversation({ ...setup, ...answered });
      }
      return converse(setup, answered, voice, config);
    },
  };
}

/**
 * Starts the conversation of a call that has been answered already.
 * @throws ProviderRefusal
 */
export function startConversation({ leg, recording, ...setup }: ConversationSetup & AnsweredLeg): ConversationRunner {
  return prepareConversation(setup, leg.format).begin({ leg, recording });
}

/** What the synthesizer is given of the first message. */
function firstPieces({ firstMessage, reading }: Pick<ConversationConfig, 'firstMessage' | 'reading'>): string[] {
  return firstMessage === null ? [] : piecesOf(firstMessage, reading);
}

/** Puts media plane, reducer and providers together. */
function converse(
  setup: ConversationSetup,
  { leg, recording }: AnsweredLeg,
  voice: Voice,
  config: Omit<ConversationConfig, 'answering' | 'canTransfer'>,
): ConversationRunner {
  const { assistant, answering, scope, handover = null, mayTransferTo = async () => null } = setup;
  const runner = new ConversationRunner(
    {
      ...config,
      answering: answeringConfig(setup),
      canTransfer: leg.transfer !== undefined || handover !== null,
    },
    setup,
  );

  const encoding = encodingOf(leg.format);
  const beeps = answering === null ? null : new BeepDetector();
  const settings: MediaSettings = {
    mediaTimeout: setup.mediaTimeout,
    recording,
    encoding,
    vad: assistant.speechConfig.vad,
    ambient: assistant.speechConfig.ambient,
    onAudio: (codes) => {
      voice.hear(codes);
      if (beeps?.push(decodeFrame(encoding, codes))) runner.dispatch({ type: 'beep' });
    },
    onEvent: (event, atMs) => forward(event, atMs),
  };
  const media = leg.openMedia?.(settings, setup) ?? planeHere(settings, setup, leg);
  scope.onClose(() => {
    const stopped = media.stop();
    setup.onStopping?.(stopped);
  });

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
    voice.connect(runner, media),
    new LegTransfers({ ...setup, handover, mayTransferTo, leg, runner, signal: scope.signal }),
  );
  media.start();
  runner.dispatch({ type: 'answered' });
  return runner;
}

/** The media of a leg that has no thread of its own for them. */
function planeHere(settings: MediaSettings, thread: MediaThread, leg: MediaLeg): MediaPlane {
  const { clock, logger, ticker, judge } = thread;
  const recording = settings.recording && new StereoRecording(settings.encoding, settings.recording);
  return new MediaPlane({ ...settings, ...{ clock, logger, ticker, judge, leg, recording } });
}

/** The system prompt of an assistant, with its placeholders filled where there are variables. */
export function systemPromptOf(
  { llmConfig }: Assistant,
  variables: Readonly<Record<string, unknown>> | null,
): ConversationConfig['systemPrompt'] {
  return (llmConfig?.messages ?? [])
    .filter(({ role }) => role === 'system')
    .map(({ role, content }) => ({ role, content: filled(content, variables) }));
}

function conversationConfig(
  { assistant, variables, greetsWhenHeard = false }: ConversationSetup,
  systemPrompt: ConversationConfig['systemPrompt'],
  { judgesTurns, isRealtime }: Voice,
): Omit<ConversationConfig, 'answering' | 'canTransfer'> {
  const { llmConfig, firstMessage } = assistant;
  const language = assistant.sttConfig?.language;
  return {
    firstMessage: filled(firstMessage, variables),
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
    greetsWhenHeard,
    maxDurationMs: assistant.maxDurationSeconds * 1_000,
    maxToolSteps,
  };
}

function answeringConfig({ assistant, answering, variables }: ConversationSetup): ConversationConfig['answering'] {
  if (answering === null) return null;
  return {
    voicemailMessage: filled(answering.voicemailMessage, variables),
    settings: { ...defaultAnsweringSettings, language: assistant.sttConfig?.language },
  };
}

/** With its placeholders filled, where there are variables. */
function filled<Text extends string | null>(text: Text, variables: ConversationSetup['variables']): Text | string {
  return text === null || variables === null ? text : fillTemplate(text, variables);
}
