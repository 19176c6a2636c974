import { type ConversationNotice, type Ending, speechConfigSchema, Ticker } from '@va/core';
import {
  callerFrame,
  levelVad,
  ScriptedIncomingCall,
  type ScriptedLlm,
  type ScriptedStt,
  saying,
  scriptedLlm,
  scriptedStt,
  scriptedTts,
  silentLogger,
  VirtualClock,
} from '@va/testkit';
import { emptyAssistant } from '../../src/calls/assistant.ts';
import { startConversation } from '../../src/calls/conversation-setup.ts';
import { OwnKeys } from '../../src/calls/own-keys.ts';
import { Scope } from '../../src/calls/scope.ts';
import { SpeechJudge } from '../../src/media/speech-judge.ts';
import { FixedSpeechCache } from '../../src/providers/fixed-speech.ts';
import { ProviderCircuits } from '../../src/providers/provider-circuits.ts';

export interface PlacedCallOptions {
  readonly firstMessage?: string | null;
  readonly voicemailMessage?: string | null;
  readonly stt?: ScriptedStt;
  readonly llm?: ScriptedLlm;
}

/** The conversation of a call that was placed, in virtual time, right after somebody has answered. */
export class PlacedCall {
  readonly clock = new VirtualClock();
  readonly leg = new ScriptedIncomingCall({ to: '+31201234567' });
  readonly stt: ScriptedStt;
  readonly llm: ScriptedLlm;
  readonly tts = scriptedTts();
  readonly notices: { readonly atMs: number; readonly notice: ConversationNotice }[] = [];
  ending: Ending | null = null;

  constructor(options: PlacedCallOptions = {}) {
    const { firstMessage = 'Hello, this is Anna.', voicemailMessage = null } = options;
    this.stt = options.stt ?? scriptedStt();
    this.llm = options.llm ?? scriptedLlm([saying('All right.')]);
    const { clock } = this;
    const scope = new Scope(silentLogger);
    const llmConfig = { provider: 'scripted', messages: [], tools: [] };
    startConversation({
      assistant: { ...emptyAssistant, firstMessage, llmConfig, speechConfig: speechConfigSchema.parse({}) },
      providers: {
        kind: 'cascade',
        recognizers: [{ provider: this.stt, config: { provider: 'scripted', language: 'en' } }],
        models: [{ provider: this.llm, config: llmConfig }],
        synthesizers: [{ provider: this.tts, config: { provider: 'scripted' } }],
      },
      variables: null,
      answering: { voicemailMessage },
      leg: this.leg,
      orgId: 'org',
      keys: new OwnKeys(),
      circuits: new ProviderCircuits(clock),
      fixedSpeech: new FixedSpeechCache(),
      ticker: new Ticker(clock),
      judge: new SpeechJudge(levelVad(), clock),
      recording: null,
      mediaTimeout: { initialMs: 600_000, generalMs: 600_000 },
      clock,
      logger: silentLogger,
      scope,
      runTool: async () => ({ ok: true, result: null }),
      onNotice: (notice) => this.notices.push({ atMs: clock.nowMs(), notice }),
      onDtmf: () => {},
      onEnd: (ending) => {
        this.ending = ending;
        scope.close();
      },
    });
  }

  /** Who was found to have answered, and when. */
  get answeredBy(): { kind: string; atMs: number } | null {
    const found = this.notices.find(({ notice }) => notice.type === 'answered-by');
    return found?.notice.type === 'answered-by' ? { kind: found.notice.kind, atMs: found.atMs } : null;
  }

  /** The far end's sound of so many milliseconds. */
  async hear(ms: number, frame: (n: number) => Uint8Array): Promise<void> {
    for (let n = 0; n < ms / 20; n += 1) {
      this.leg.hear(frame(n));
      await this.clock.advance(20);
    }
  }

  async speak(ms: number, text?: string): Promise<void> {
    await this.hear(ms, () => callerFrame(true));
    if (text !== undefined) this.stt.streams[0]?.emit({ type: 'partial', text });
  }

  async quiet(ms: number): Promise<void> {
    await this.hear(ms, () => callerFrame(false));
  }
}
