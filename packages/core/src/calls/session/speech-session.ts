import { chooseFormat, fromLeg, type LegEncoding, legAudio, silentFrames, toLeg } from '@va/media';
import { offeredTools } from '../../conversation/model/tool-calls.ts';
import { Pipeline } from '../../conversation/runner/pipeline.ts';
import { instructionsOf, RealtimePipeline } from '../../conversation/runner/realtime-pipeline.ts';
import type { ConversationRunner, EffectHandler, PlayoutControl } from '../../conversation/runner/runner.ts';
import type { RunTool } from '../../conversation/runner/running-tools.ts';
import type { CallTool } from '../../conversation/state/tools/call-tool.ts';
import type { UsageMeter } from '../../costs/usage-meter.ts';
import { toError, VaError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { AudioFormat } from '../../ports/media/audio-format.ts';
import type { LanguageModel } from '../../ports/providers/language-model.ts';
import { sourceOf } from '../../providers/chain.ts';
import type { FixedSpeechCache, Synthesizer } from '../../providers/fixed-speech.ts';
import { modelChain } from '../../providers/model-chain.ts';
import type { OwnKeys } from '../../providers/own-keys.ts';
import type { ProviderCircuits } from '../../providers/provider-circuits.ts';
import type { ProviderWatch } from '../../providers/provider-watch.ts';
import { recognizerChain } from '../../providers/recognizer-chain.ts';
import { synthesizerChain } from '../../providers/synthesizer-chain.ts';
import type { Scope } from '../scope.ts';
import type { CascadeProviders, RealtimeProviders } from './call-providers.ts';
import type { Keyterms } from './keyterms.ts';

/** The opened providers of one conversation. */
export interface SpeechSession {
  /** True if the recognizer detects the end of turns. */
  readonly judgesTurns: boolean;
  readonly isRealtime: boolean;
  /** Takes the caller's next encoded frame. The buffer is valid until the method returns. */
  onFrame(payload: Uint8Array): void;
  connect(runner: ConversationRunner, playout: PlayoutControl): EffectHandler;
  /** Synthesizes a fixed text before it is spoken. Resolves with its first audio, or once there will be none. */
  prepare(pieces: readonly string[]): Promise<void>;
}

export interface SpeechSessionOptions {
  readonly encoding: LegEncoding;
  readonly legFormat: AudioFormat;
  readonly orgId: string;
  /** The organization's keys for these providers. */
  readonly keys: OwnKeys;
  readonly circuits: ProviderCircuits;
  readonly fixedSpeech: FixedSpeechCache;
  readonly systemPrompt: readonly { readonly content: string }[];
  readonly keyterms: Keyterms;
  /** BCP 47 language tag of the conversation. */
  readonly language: string | undefined;
  readonly tools: readonly CallTool[];
  readonly runTool: RunTool;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly scope: Scope;
  readonly watch?: ProviderWatch | undefined;
  readonly meter?: UsageMeter | undefined;
}

/** Error of a provider that refused the session. The call ends as if the provider had failed later. */
export class ProviderRefusal extends VaError {
  readonly reason: 'stt_error' | 'llm_error' | 'tts_error';

  constructor(reason: ProviderRefusal['reason'], cause: unknown) {
    super(reason, toError(cause).message, { cause });
    this.reason = reason;
  }
}

/** @throws ProviderRefusal */
export function openSpeechSession(
  providers: CascadeProviders | RealtimeProviders,
  options: SpeechSessionOptions,
): SpeechSession {
  return providers.kind === 'cascade' ? openCascade(providers, options) : openRealtime(providers, options);
}

function openCascade(
  { recognizers, models, synthesizers, voices }: CascadeProviders,
  options: SpeechSessionOptions,
): SpeechSession {
  const { encoding, keys, clock, logger, scope, tools, runTool, fixedSpeech, watch, keyterms, orgId } = options;
  const { signal } = scope;
  const languages = voices.size === 0 ? undefined : [options.language ?? [], ...voices.keys()].flat();
  const chain = { ...options, signal, hints: keyterms.current, languages };
  const stream = opened('stt_error', () => recognizerChain(recognizers, chain));
  scope.onClose(() => stream.close());
  scope.onClose(keyterms.onChange((terms) => stream.setHints?.(terms)));
  const openVoice = (links: CascadeProviders['synthesizers'], language: string | undefined): Synthesizer => {
    const session = synthesizerChain(links, { ...chain, language, encoding, fixedSpeech });
    scope.onClose(() => session.close());
    return session;
  };
  const tts = opened('tts_error', () => openVoice(synthesizers, options.language));
  const spoken = new Map<string, Synthesizer>();
  const ttsIn = (language: string): Synthesizer => {
    const links = voices.get(language);
    if (links === undefined) return tts;
    const session = spoken.get(language) ?? openVoice(links, language);
    spoken.set(language, session);
    return session;
  };
  const silence = silentFrames[encoding];
  const { bytesPerMs } = legAudio[encoding];
  let isCallerMuted = false;
  const [{ provider: first, config: llmConfig }] = models;
  const [{ provider: recognizer }] = recognizers;
  const [{ provider: synthesizer }] = synthesizers;
  const llmKey = { ...keys.of(first), orgId };
  warm(first, () => first.connect?.({ ...llmKey, config: llmConfig, signal, clock, logger }), logger);
  return {
    judgesTurns: stream.judgesTurns ?? false,
    isRealtime: false,
    onFrame: (payload) => stream.send(isCallerMuted ? silence : payload),
    prepare: async (pieces) => await tts.prepare?.(pieces),
    connect: (runner, playout) =>
      new Pipeline({
        clock,
        logger,
        signal,
        runner,
        stt: stream,
        tts,
        ttsIn,
        llm: modelChain(models, chain),
        llmKey,
        llmConfig,
        tools,
        playout,
        bytesPerMs,
        muteCaller: (isMuted) => {
          isCallerMuted = isMuted;
        },
        runTool,
        watched: watch === undefined ? null : { watch, recognizer, model: first, synthesizer },
      }),
  };
}

function openRealtime({ model, llmConfig }: RealtimeProviders, options: SpeechSessionOptions): SpeechSession {
  const { encoding, legFormat, keys, systemPrompt, clock, logger, scope, tools, runTool, watch, keyterms } = options;
  const { meter } = options;
  const inputFormat = chooseFormat(model.inputFormats, legFormat);
  const outputFormat = chooseFormat(model.outputFormats, legFormat);
  const common = { clock, logger, signal: scope.signal };
  const onFailure = (thrown: unknown): void => watch?.failed(model, thrown);
  const session = opened('llm_error', () =>
    model.open({
      ...common,
      ...keys.of(model),
      config: llmConfig,
      instructions: instructionsOf(systemPrompt),
      tools: offeredTools(tools),
      history: [],
      hints: keyterms.current,
      inputFormat,
      outputFormat,
    }),
  );
  const source = sourceOf({ provider: model, config: llmConfig }, options);
  const opening = meter?.counter(source, 'session_seconds');
  opening?.start();
  scope.onClose(() => {
    session.close();
    opening?.stop();
  });
  const decode = fromLeg(encoding, inputFormat);
  let pipeline: RealtimePipeline | null = null;
  return {
    judgesTurns: false,
    isRealtime: true,
    prepare: async () => {},
    onFrame: (payload) => pipeline?.onFrame(payload),
    connect(runner, playout) {
      const createEncoder = (): ((audio: Uint8Array) => Uint8Array) => toLeg(outputFormat, encoding);
      pipeline = new RealtimePipeline({
        ...common,
        onFailure,
        onUsage: (usage) => meter?.addModelUsage(source, usage),
        runner,
        session,
        playout,
        bytesPerMs: legAudio[encoding].bytesPerMs,
        decode,
        createEncoder,
        runTool,
      });
      return pipeline;
    },
  };
}

/** Connects a language model in advance. Errors are only logged: the model connects, or fails, when it is needed. */
function warm({ id }: LanguageModel, connect: () => void, logger: Logger): void {
  try {
    connect();
  } catch (thrown) {
    logger.warn({ provider: id, err: toError(thrown) }, 'failed to connect a language model ahead');
  }
}

function opened<T>(reason: ProviderRefusal['reason'], open: () => T): T {
  try {
    return open();
  } catch (thrown) {
    throw new ProviderRefusal(reason, thrown);
  }
}
