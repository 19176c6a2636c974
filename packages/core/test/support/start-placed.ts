import { type ConversationNotice, type Ending, type SpeechConfig, speechConfigSchema } from '@va/core';
import type { Clock, LanguageModel, MediaLeg, SpeechToText, TextToSpeech } from '@va/core/adapter';
import { Ticker, VadBatcher } from '@va/media';
import { levelVad, silentLogger } from '@va/testkit';
import { emptyAssistant } from '../../src/calls/assistant.ts';
import { Scope } from '../../src/calls/scope.ts';
import { startConversation } from '../../src/calls/session/conversation-setup.ts';
import type { ConversationRunner } from '../../src/conversation/runner/runner.ts';
import { FixedSpeechCache } from '../../src/providers/fixed-speech.ts';
import { OwnKeys } from '../../src/providers/own-keys.ts';
import { ProviderCircuits } from '../../src/providers/provider-circuits.ts';

export interface PlacedConversation {
  readonly firstMessage: string | null;
  readonly voicemailMessage: string | null;
  readonly speechConfig?: SpeechConfig;
  readonly stt: SpeechToText;
  readonly llm: LanguageModel;
  readonly tts: TextToSpeech;
  readonly leg: MediaLeg;
  readonly clock: Clock;
  readonly onNotice: (notice: ConversationNotice) => void;
  readonly onEnd: (ending: Ending) => void;
}

/** Starts the conversation of an outbound call, as after its answer. */
export function startPlaced(placed: PlacedConversation): ConversationRunner {
  const { stt, llm, tts, leg, clock, firstMessage, voicemailMessage, onNotice, onEnd } = placed;
  const scope = new Scope(silentLogger);
  const llmConfig = { provider: llm.id, messages: [], tools: [] };
  const speechConfig = placed.speechConfig ?? speechConfigSchema.parse({});
  return startConversation({
    assistant: { ...emptyAssistant, firstMessage, llmConfig, speechConfig },
    providers: {
      kind: 'cascade',
      recognizers: [{ provider: stt, config: { provider: stt.id, language: 'en' } }],
      models: [{ provider: llm, config: llmConfig }],
      synthesizers: [{ provider: tts, config: { provider: tts.id } }],
      voices: new Map(),
    },
    variables: null,
    answering: { voicemailMessage },
    leg,
    orgId: 'org',
    keys: new OwnKeys(),
    circuits: new ProviderCircuits(clock),
    fixedSpeech: new FixedSpeechCache(),
    ticker: new Ticker(clock),
    judge: new VadBatcher(levelVad(), clock),
    recording: null,
    mediaTimeout: { initialMs: 600_000, generalMs: 600_000 },
    clock,
    logger: silentLogger,
    scope,
    tools: [],
    runTool: async () => ({ ok: true, result: null }),
    onNotice,
    onDtmf: () => {},
    onEnd: (ending) => {
      onEnd(ending);
      scope.close();
    },
  });
}
