import type { CallEvent, ConversationNotice, VoiceAgentsOptions } from '@va/core';
import type { Provider, RecordingStore } from '@va/core/adapter';
import {
  CallUnderTest,
  callerFrame,
  type ScriptedIncomingCall,
  type ScriptedLlm,
  type ScriptedRealtime,
  type ScriptedStt,
  type ScriptedTts,
  ScriptedWebhooks,
  saying,
  scriptedLlm,
  scriptedStt,
  scriptedTts,
  type VirtualClock,
} from '@va/testkit';

import { memoryWithEvents } from './described-events.ts';
import { PromiseClock } from './promise-clock.ts';
import { type SpeechConfigInput, steadySpeech } from './steady-speech.ts';

export { dialedNumber } from '@va/testkit';

export interface PhoneCallOptions {
  readonly agent?: Record<string, unknown>;
  readonly stt?: ScriptedStt;
  readonly llm?: ScriptedLlm;
  readonly tts?: ScriptedTts;
  /** A speech-to-speech model beside the others; the agent has to ask for it. */
  readonly realtime?: ScriptedRealtime;
  /** Further providers, such as the fallbacks of an agent. */
  readonly extraProviders?: readonly Provider[];
  readonly webhooks?: ScriptedWebhooks;
  readonly service?: Partial<VoiceAgentsOptions>;
  readonly recordings?: RecordingStore;
  /** Default: a clock that does not wait for streams, files or sockets. */
  readonly clock?: VirtualClock;
  /** True for the defaults of `speech_config`, in place of steady delays. */
  readonly hasDefaultSpeech?: boolean;
}

/** A whole service on virtual time with one agent on one number, and a caller to drive. */
export class PhoneCall extends CallUnderTest {
  readonly stt: ScriptedStt;
  readonly llm: ScriptedLlm;
  readonly tts: ScriptedTts;
  readonly realtime: ScriptedRealtime | null;
  readonly webhooks: ScriptedWebhooks;
  /** Stored records, unless the test passes its own storage. */
  readonly events: readonly CallEvent[];
  readonly notices: ConversationNotice[] = [];
  readonly #hasDefaultSpeech: boolean;
  /** Frames sent when the caller interrupted; null once the agent speaks again. */
  interruptedAtFrame: number | null = null;

  constructor(options: PhoneCallOptions = {}) {
    const stt = options.stt ?? scriptedStt();
    const llm = options.llm ?? scriptedLlm([saying('All right.')]);
    const tts = options.tts ?? scriptedTts();
    const realtime = options.realtime ?? null;
    const webhooks = options.webhooks ?? new ScriptedWebhooks();
    const events: CallEvent[] = [];
    const storage = options.service?.storage ?? memoryWithEvents((event) => void events.push(event));
    super({
      providers: [stt, llm, tts, ...(realtime === null ? [] : [realtime]), ...(options.extraProviders ?? [])],
      webhooks,
      clock: options.clock ?? new PromiseClock(),
      ...(options.recordings === undefined ? {} : { recordings: options.recordings }),
      service: { ...options.service, storage },
    });
    this.#hasDefaultSpeech = options.hasDefaultSpeech ?? false;
    this.events = events;
    this.stt = stt;
    this.llm = llm;
    this.tts = tts;
    this.realtime = realtime;
    this.webhooks = webhooks;
    this.va.events.on('call.notice', ({ notice }) => {
      this.notices.push(notice);
      if (notice.type === 'interrupted') this.interruptedAtFrame = this.incoming.sent.length;
      if (notice.type === 'agent-speaking' || notice.type === 'resumed') this.interruptedAtFrame = null;
    });
  }

  /** Starts the service with the agent, rings, and lets the call be answered. */
  static async ring(options: PhoneCallOptions = {}): Promise<PhoneCall> {
    const call = new PhoneCall(options);
    await call.prepare(options.agent);
    await call.dial();
    return call;
  }

  async prepare(agent: Record<string, unknown> = {}): Promise<void> {
    const written = (agent.speech_config ?? {}) as SpeechConfigInput;
    await this.start({
      name: 'Anna',
      webhook_url: 'https://customer.test/hook',
      stt_config: { provider: 'scripted' },
      llm_config: { provider: 'scripted', messages: [{ role: 'system', content: 'Be brief.' }] },
      tts_config: { provider: 'scripted' },
      ...agent,
      speech_config: this.#hasDefaultSpeech ? written : steadySpeech(written),
    });
  }

  async dial(incoming: ScriptedIncomingCall = this.incoming): Promise<void> {
    await this.ringUp(incoming);
    await this.clock.advance(20);
    // It rings until the first words of the agent are there.
    for (let rungMs = 20; rungMs < 1_000 && !incoming.answered && incoming.end === null; rungMs += 20) {
      await this.clock.advance(20);
    }
  }

  /** Lets time pass while the caller is silent. */
  async quiet(ms: number): Promise<void> {
    await this.#frames(ms, false);
  }

  async speak(ms: number): Promise<void> {
    await this.#frames(ms, true);
  }

  /** Lets time pass without any frame from the caller. */
  async nothing(ms: number): Promise<void> {
    await this.clock.advance(ms);
  }

  /** Agent audio frames (not silence) sent since frame `from`. */
  agentFrames(from = 0): number {
    return this.incoming.sent.slice(from).filter((frame) => frame.some((code) => code !== 0xff)).length;
  }

  async #frames(ms: number, speaking: boolean): Promise<void> {
    const frame = callerFrame(speaking);
    for (let passed = 0; passed < ms; passed += 20) {
      this.incoming.hear(frame);
      await this.clock.advance(20);
    }
  }
}
