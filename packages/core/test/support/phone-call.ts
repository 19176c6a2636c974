import {
  type Agent,
  type Call,
  type ConversationNotice,
  createVoiceAgents,
  type Provider,
  type RecordingStore,
  type TelephonyHost,
  type VoiceAgents,
  type VoiceAgentsOptions,
} from '@va/core';
import { memory } from '@va/storage/memory';
import {
  callerFrame,
  levelVad,
  ScriptedIncomingCall,
  type ScriptedLlm,
  type ScriptedRealtime,
  type ScriptedStt,
  type ScriptedTts,
  ScriptedWebhooks,
  saying,
  scriptedLlm,
  scriptedStt,
  scriptedTts,
  silentLogger,
  VirtualClock,
} from '@va/testkit';

export const dialedNumber = '+31201234567';

export interface PhoneCallOptions {
  readonly agent?: Record<string, unknown>;
  readonly stt?: ScriptedStt;
  readonly llm?: ScriptedLlm;
  readonly tts?: ScriptedTts;
  /** A speech-to-speech model beside the others; the agent has to ask for it. */
  readonly realtime?: ScriptedRealtime;
  /** More of them, such as an agent's fallbacks. */
  readonly extraProviders?: readonly Provider[];
  readonly webhooks?: ScriptedWebhooks;
  readonly service?: Partial<VoiceAgentsOptions>;
  readonly recordings?: RecordingStore;
}

const noRecordings: RecordingStore = {
  create: async () => ({ write() {}, close: async () => {} }),
  open: async () => null,
};

/** A whole service on virtual time with one agent on one number, and a caller to drive. */
export class PhoneCall {
  readonly clock = new VirtualClock();
  readonly stt: ScriptedStt;
  readonly llm: ScriptedLlm;
  readonly tts: ScriptedTts;
  readonly realtime: ScriptedRealtime | null;
  readonly webhooks: ScriptedWebhooks;
  readonly notices: ConversationNotice[] = [];
  readonly va: VoiceAgents;
  incoming = new ScriptedIncomingCall({ to: dialedNumber });
  agent: Agent | undefined;
  orgId = '';
  /** How many frames had been sent when the caller interrupted; null once the agent speaks again, or on. */
  interruptedAtFrame: number | null = null;
  ended: Call | null = null;
  /** Timers of the service itself, that it has without a call. */
  idleTimers = 0;
  #host: TelephonyHost | null = null;

  constructor(options: PhoneCallOptions = {}) {
    this.stt = options.stt ?? scriptedStt();
    this.llm = options.llm ?? scriptedLlm([saying('All right.')]);
    this.tts = options.tts ?? scriptedTts();
    this.realtime = options.realtime ?? null;
    this.webhooks = options.webhooks ?? new ScriptedWebhooks();
    this.va = createVoiceAgents({
      storage: memory(),
      providers: [
        this.stt,
        this.llm,
        this.tts,
        ...(this.realtime === null ? [] : [this.realtime]),
        ...(options.extraProviders ?? []),
      ],
      webhooks: this.webhooks,
      telephony: [
        {
          id: 'scripted',
          start: async (host) => {
            this.#host = host;
          },
          close: async () => {},
        },
      ],
      vad: levelVad(),
      recordings: options.recordings ?? noRecordings,
      clock: this.clock,
      logger: silentLogger,
      ...options.service,
    });
    this.va.events.on('call.notice', ({ notice }) => {
      this.notices.push(notice);
      if (notice.type === 'interrupted') this.interruptedAtFrame = this.incoming.sent.length;
      if (notice.type === 'agent-speaking' || notice.type === 'resumed') this.interruptedAtFrame = null;
    });
    this.va.events.on('call.ended', ({ call }) => {
      this.ended = call;
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
    await this.va.start();
    this.idleTimers = this.clock.pending;
    const organization = await this.va.operations.organizations.ensureDefault();
    this.orgId = organization.id;
    this.agent = await this.va.operations.agents.create(organization.id, {
      name: 'Anna',
      webhook_url: 'https://customer.test/hook',
      stt_config: { provider: 'scripted' },
      llm_config: { provider: 'scripted', messages: [{ role: 'system', content: 'Be brief.' }] },
      tts_config: { provider: 'scripted' },
      ...agent,
    });
    await this.va.operations.numbers.register(organization.id, { phone_number: dialedNumber, agent_id: this.agent.id });
  }

  async dial(incoming: ScriptedIncomingCall = this.incoming): Promise<void> {
    this.incoming = incoming;
    this.#host?.onIncomingCall(incoming);
    await this.clock.advance(20);
  }

  get admits(): boolean {
    return this.#host?.admits() ?? false;
  }

  /** Lets time pass while the caller is silent. */
  async quiet(ms: number): Promise<void> {
    await this.#frames(ms, false);
  }

  async speak(ms: number): Promise<void> {
    await this.#frames(ms, true);
  }

  /** Lets time pass with nothing at all from the caller. */
  async nothing(ms: number): Promise<void> {
    await this.clock.advance(ms);
  }

  /** Agent audio frames (not silence) sent since frame `from`. */
  agentFrames(from = 0): number {
    return this.incoming.sent.slice(from).filter((frame) => frame.some((code) => code !== 0xff)).length;
  }

  /** The call as it is stored. */
  async stored(): Promise<Call> {
    const { calls } = await this.va.operations.calls.list(this.orgId, {});
    const [call] = calls;
    if (call === undefined) throw new Error('No call was stored.');
    return call;
  }

  async close(): Promise<void> {
    const closing = this.va.close({ drainMs: 0 });
    await this.clock.advance(100);
    await closing;
  }

  async #frames(ms: number, speaking: boolean): Promise<void> {
    for (let passed = 0; passed < ms; passed += 20) {
      this.incoming.hear(callerFrame(speaking));
      await this.clock.advance(20);
    }
  }
}
