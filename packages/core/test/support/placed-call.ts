import type { ConversationNotice, Ending } from '@va/core';
import {
  callerFrame,
  ScriptedIncomingCall,
  type ScriptedLlm,
  type ScriptedStt,
  saying,
  scriptedLlm,
  scriptedStt,
  scriptedTts,
  VirtualClock,
} from '@va/testkit';
import { startPlaced } from './start-placed.ts';

export interface PlacedCallOptions {
  readonly firstMessage?: string | null;
  readonly voicemailMessage?: string | null;
  readonly stt?: ScriptedStt;
  readonly llm?: ScriptedLlm;
}

/** The conversation of an outbound call in virtual time, from its answer on. */
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
    const { clock, leg, stt, llm, tts } = this;
    startPlaced({
      firstMessage,
      voicemailMessage,
      stt,
      llm,
      tts,
      leg,
      clock,
      onNotice: (notice) => this.notices.push({ atMs: clock.nowMs(), notice }),
      onEnd: (ending) => {
        this.ending = ending;
      },
    });
  }

  /** Results of answering-machine detection with their times. */
  get answeredBy(): { kind: string; atMs: number } | null {
    const found = this.notices.find(({ notice }) => notice.type === 'answered-by');
    return found?.notice.type === 'answered-by' ? { kind: found.notice.kind, atMs: found.atMs } : null;
  }

  /** Sends frames of the far end for `ms` milliseconds. */
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
