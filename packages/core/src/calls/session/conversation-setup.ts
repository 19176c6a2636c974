import { closingSentence, defaultAmdSettings } from '@va/language';
import {
  BeepDetector,
  type DtmfDigit,
  encodingOf,
  type LegEncoding,
  type Levels,
  legAudio,
  type MediaControl,
  type MediaEvent,
  MediaPlane,
  type MediaSettings,
  type MediaThread,
  NarrowDecoder,
  StereoRecording,
  type Ticker,
  type VadBatcher,
} from '@va/media';
import type { Clips } from '../../clips/clips.ts';
import { piecesOf } from '../../conversation/agent-turn/speech-text.ts';
import { type ConversationHost, ConversationRunner } from '../../conversation/runner/runner.ts';
import type { RunTool } from '../../conversation/runner/running-tools.ts';
import type { ConversationConfig } from '../../conversation/state/config.ts';
import type { ConversationNotice } from '../../conversation/state/effects.ts';
import type { Ending } from '../../conversation/state/phase.ts';
import type { CallTool } from '../../conversation/state/tools/call-tool.ts';
import type { TurnPolicy } from '../../conversation/turn-policy/turn-policy.ts';
import { defaultTurnPolicy } from '../../conversation/turns/default-turn-policy.ts';
import type { UsageMeter } from '../../costs/usage-meter.ts';
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
import { CallTurnModel } from '../turn-model/call-turn-model.ts';
import type { TurnJudge } from '../turn-model/turn-judge.ts';
import { backgroundSounds } from './background-sounds.ts';
import type { CascadeProviders, RealtimeProviders } from './call-providers.ts';
import { conversationLanguages, filled, systemPromptOf } from './conversation-languages.ts';
import { KeysOnAnswer } from './keys-on-answer.ts';
import { Keyterms } from './keyterms.ts';
import { type CallerHandover, LegActions } from './leg-actions.ts';
import { openSpeechSession, type SpeechSession } from './speech-session.ts';

const maxToolSteps = 5;

/** Dependencies that all conversations of a service share. */
export interface ConversationDependencies {
  /** Circuit breakers of the providers. */
  readonly circuits: ProviderCircuits;
  /** Caches the audio of recurring sentences. */
  readonly fixedSpeech: FixedSpeechCache;
  /** Audio clips of the host; none by default. */
  readonly clips?: Clips | undefined;
  readonly ticker: Ticker;
  readonly judge: VadBatcher;
  readonly mediaTimeout: { readonly initialMs: number; readonly generalMs: number };
  readonly clock: Clock;
  /** Replaces strategies of the default turn policy. */
  readonly turnPolicy?: Partial<TurnPolicy> | undefined;
  /** Asks the host's turn model; none by default. */
  readonly turnJudge?: TurnJudge | undefined;
}

export interface ConversationSetup extends ConversationDependencies {
  readonly assistant: Assistant;
  /** The providers that the assistant names. */
  readonly providers: CascadeProviders | RealtimeProviders;
  /** Values of the placeholders in prompt and first message; null leaves the placeholders unchanged. */
  readonly variables: Readonly<Record<string, unknown>> | null;
  /** Key terms of the call; by default those of the assistant. */
  readonly keyterms?: Keyterms;
  /** Answering-machine detection of an outbound call; null without. */
  readonly answering: { readonly voicemailMessage: string | null } | null;
  /** Delays the first message until the far end sends media, for 500 ms at most; false by default. */
  readonly greetsWhenHeard?: boolean;
  /** Keys that are pressed before the conversation begins; none by default. */
  readonly keysOnAnswer?: string | null;
  /** Called once the conversation has begun, after `keysOnAnswer` were pressed. */
  readonly onBegun?: (runner: ConversationRunner) => void;
  /** Connects the caller with a third party through the service; null by default. */
  readonly handover?: CallerHandover | null;
  /** Returns why a transfer is refused; all destinations are allowed by default. */
  readonly mayTransferTo?: (destination: string) => Promise<string | null>;
  readonly orgId: string;
  /** The organization's keys for these providers. */
  readonly keys: OwnKeys;
  readonly logger: Logger;
  readonly scope: Scope;
  /** The assistant's tools. `runTool` runs them. */
  readonly tools: readonly CallTool[];
  readonly runTool: RunTool;
  readonly onNotice: (notice: ConversationNotice) => void;
  /** Takes the media of the call when they begin. */
  readonly onMedia?: (media: MediaControl, encoding: LegEncoding) => void;
  /** Takes the loudness of both sides, while it is measured. */
  readonly onLevels?: (levels: Levels) => void;
  readonly onDtmf: (digit: DtmfDigit) => void;
  readonly onEnd: (ending: Ending) => void;
  /** Called when the media stop; the promise resolves when the recording has all of them. */
  readonly onStopping?: (stopped: Promise<void>) => void;
  readonly onState?: NonNullable<ConversationHost['onState']>;
  readonly advance?: ConversationHost['advance'];
  readonly watch?: ProviderWatch | undefined;
  /** Adds up what the providers bill; not counted without it. */
  readonly meter?: UsageMeter | undefined;
}

/** Available once the call is answered. */
export interface AnsweredLeg {
  readonly leg: MediaLeg;
  readonly recording: RecordingSink | null;
}

/** A conversation with connected providers, ready to begin. */
export interface PreparedConversation {
  /** Resolves when the first message can be played without delay, or cannot be prepared. */
  readonly greetingReady: Promise<void>;
  /**
   * Starts the conversation. Reconnects the providers if the leg's format differs from the prepared one.
   * @throws ProviderRefusal
   */
  begin(answered: AnsweredLeg): ConversationRunner;
}

/**
 * Connects the providers of a ringing call and synthesizes the first message in advance.
 * @throws ProviderRefusal
 */
export function prepareConversation(setup: ConversationSetup, format: AudioFormat): PreparedConversation {
  const { assistant, variables, scope, logger } = setup;
  const own = new Scope(logger);
  scope.onClose(() => own.close());
  const systemPrompt = systemPromptOf(assistant, variables);
  const speech = openSpeechSession(setup.providers, {
    ...setup,
    scope: own,
    encoding: encodingOf(format),
    legFormat: format,
    systemPrompt,
    keyterms: setup.keyterms ?? new Keyterms(assistant.sttConfig?.keyterms, variables),
    language: assistant.sttConfig?.language,
  });
  const config = conversationConfig(setup, systemPrompt, speech);
  return {
    // Not with answering-machine detection: a voicemail gets another message than the greeting.
    greetingReady: setup.answering === null ? speech.prepare(firstPieces(config)) : Promise.resolve(),
    begin(answered) {
      if (answered.leg.format.encoding !== format.encoding) {
        own.close();
        return startConversation({ ...setup, ...answered });
      }
      return converse(setup, answered, speech, config);
    },
  };
}

/**
 * Starts the conversation of an answered call.
 * @throws ProviderRefusal
 */
export function startConversation({ leg, recording, ...setup }: ConversationSetup & AnsweredLeg): ConversationRunner {
  return prepareConversation(setup, leg.format).begin({ leg, recording });
}

/** Returns the first message in the pieces that the synthesizer gets. */
function firstPieces({ firstMessage, reading }: Pick<ConversationConfig, 'firstMessage' | 'reading'>): string[] {
  return firstMessage === null ? [] : piecesOf(firstMessage, reading);
}

/** Connects media plane, reducer and providers. */
function converse(
  setup: ConversationSetup,
  { leg, recording }: AnsweredLeg,
  speech: SpeechSession,
  config: Omit<ConversationConfig, 'answering' | 'canTransfer' | 'canPressKeys'>,
): ConversationRunner {
  const { assistant, answering, scope, turnJudge, handover = null, mayTransferTo = async () => null } = setup;
  const runner = new ConversationRunner(
    {
      ...config,
      answering: answeringConfig(setup),
      canTransfer: leg.transfer !== undefined || handover !== null,
      canPressKeys: leg.sendDtmf !== undefined,
    },
    setup,
  );

  const keys = new KeysOnAnswer({ leg, clock: setup.clock, logger: setup.logger, scope });
  const encoding = encodingOf(leg.format);
  const beeps = answering === null ? null : beepDetector(encoding);
  const turnModel =
    turnJudge === undefined
      ? null
      : new CallTurnModel({
          ...setup,
          judge: turnJudge,
          encoding,
          language: config.language,
          signal: scope.signal,
          runner,
        });
  const settings: MediaSettings = {
    mediaTimeout: setup.mediaTimeout,
    recording,
    encoding,
    vad: assistant.speechConfig.vad,
    ...backgroundSounds(assistant.speechConfig, setup, legAudio[encoding].sampleRateHz),
    onAudio: (payload) => {
      if (keys.areBeingPressed) return;
      speech.onFrame(payload);
      turnModel?.onFrame(payload);
      if (beeps?.(payload)) runner.dispatch({ type: 'beep' });
    },
    onEvent: (event, atMs) => forward(event, atMs),
  };
  const media = leg.openMedia?.(settings, setup) ?? planeHere(settings, setup, leg);
  setup.onMedia?.(media, encoding);
  scope.onClose(() => {
    const stopped = media.stop();
    setup.onStopping?.(stopped);
  });

  function forward(event: MediaEvent, atMs: number): void {
    if (event.type === 'levels') {
      setup.onLevels?.(event);
      return;
    }
    // While keys are being pressed, the far end does not take part in the conversation, but its media may be lost.
    if (keys.areBeingPressed && event.type !== 'media-lost' && event.type !== 'media-failed') return;
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
    speech.connect(runner, media),
    new LegActions({ ...setup, handover, mayTransferTo, leg, runner, signal: scope.signal }),
    turnModel,
  );
  media.start();
  keys.press(setup.keysOnAnswer ?? null, () => {
    runner.dispatch({ type: 'answered' });
    setup.onBegun?.(runner);
  });
  return runner;
}

/** Returns a function that takes the callee's frames, and returns true once per beep. */
function beepDetector(encoding: LegEncoding): (frame: Uint8Array) => boolean {
  const narrow = new NarrowDecoder(encoding);
  const detector = new BeepDetector();
  return (frame) => detector.push(narrow.decode(frame));
}

/** Creates the media plane of a leg that has no media thread of its own. */
function planeHere(settings: MediaSettings, thread: MediaThread, leg: MediaLeg): MediaPlane {
  const { clock, logger, ticker, judge } = thread;
  const recording = settings.recording && new StereoRecording(settings.encoding, settings.recording);
  return new MediaPlane({ ...settings, ...{ clock, logger, ticker, judge, leg, recording } });
}

function conversationConfig(
  { assistant, tools, variables, greetsWhenHeard = false, turnPolicy, turnJudge }: ConversationSetup,
  systemPrompt: ConversationConfig['systemPrompt'],
  { judgesTurns, isRealtime }: SpeechSession,
): Omit<ConversationConfig, 'answering' | 'canTransfer' | 'canPressKeys'> {
  const { llmConfig, firstMessage } = assistant;
  const language = assistant.sttConfig?.language;
  return {
    firstMessage: filled(firstMessage, variables),
    systemPrompt,
    tools,
    context: llmConfig?.context ?? defaultContextSettings,
    speech: assistant.speechConfig,
    turnPolicy: { ...defaultTurnPolicy, ...turnPolicy },
    turnModel: turnJudge === undefined ? null : { usesText: turnJudge.usesText },
    reading: {
      language,
      normalize: assistant.speechConfig.normalize_text,
      pronunciations: assistant.speechConfig.pronunciations,
    },
    language,
    languages: isRealtime ? [] : conversationLanguages(assistant, variables),
    judgesTurns,
    isRealtime,
    greetsWhenHeard,
    maxDurationMs: assistant.maxDurationSeconds * 1_000,
    farewell: filled(assistant.budget?.message ?? closingSentence(language), variables),
    maxToolSteps,
  };
}

function answeringConfig({ assistant, answering, variables }: ConversationSetup): ConversationConfig['answering'] {
  if (answering === null) return null;
  return {
    voicemailMessage: filled(answering.voicemailMessage, variables),
    settings: { ...defaultAmdSettings, language: assistant.sttConfig?.language },
  };
}
