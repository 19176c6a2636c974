import {
  type Agent,
  type Call,
  createVoiceAgents,
  type NewAgent,
  type NewControlCommand,
  type Provider,
  type RecordingStore,
  type VoiceAgents,
  type VoiceAgentsOptions,
  type WebhookDispatcher,
} from '@va/core';
import { memory } from '@va/storage/memory';
import { ScriptedIncomingCall } from './scripted/scripted-incoming-call.ts';
import { ScriptedTelephony } from './scripted/scripted-telephony.ts';
import { levelVad } from './scripted/scripted-vad.ts';
import { silentLogger } from './silent-logger.ts';
import { VirtualClock } from './virtual-clock.ts';

/** The number that the agent answers. */
export const dialedNumber = '+31201234567';

export interface CallUnderTestOptions {
  readonly providers: readonly Provider[];
  readonly webhooks: WebhookDispatcher;
  readonly clock?: VirtualClock;
  /** None are kept by default. */
  readonly recordings?: RecordingStore;
  /** More of the service's own options, which go before the others. */
  readonly service?: Partial<VoiceAgentsOptions>;
}

const noRecordings: RecordingStore = {
  create: async () => ({ write() {}, close: async () => {} }),
  open: async () => null,
  delete: async () => false,
};

/** A whole service on virtual time, with one agent on one number, and a call to it whose far end the test plays. */
export class CallUnderTest {
  readonly clock: VirtualClock;
  readonly va: VoiceAgents;
  incoming: ScriptedIncomingCall = new ScriptedIncomingCall({ to: dialedNumber });
  agent: Agent | undefined;
  orgId = '';
  /** The call as it was stored at its end; null while it goes on. */
  ended: Call | null = null;
  /** When that was, on the call's clock; until then 0. */
  endedAtMs = 0;
  /** Timers of the service itself, that it has without a call. */
  idleTimers = 0;
  readonly telephony: ScriptedTelephony = new ScriptedTelephony();

  constructor(options: CallUnderTestOptions) {
    this.clock = options.clock ?? new VirtualClock();
    this.va = createVoiceAgents({
      storage: memory(),
      providers: options.providers,
      webhooks: options.webhooks,
      telephony: [this.telephony],
      vad: levelVad(),
      recordings: options.recordings ?? noRecordings,
      clock: this.clock,
      logger: silentLogger,
      ...options.service,
    });
    this.va.events.on('call.ended', ({ call }) => {
      this.ended = call;
      this.endedAtMs = this.clock.nowMs();
    });
  }

  /**
   * Starts the service with the agent: the body of POST /agents.
   * @throws RequestError where the service would refuse it
   */
  async start(agent: NewAgent): Promise<void> {
    await this.va.start();
    // What the service does right after its start leaves timers, too.
    await this.clock.advance(0);
    this.idleTimers = this.clock.pending;
    const organization = await this.va.operations.organizations.ensureDefault();
    this.orgId = organization.id;
    this.agent = await this.va.operations.agents.create(organization.id, agent);
    await this.va.operations.numbers.register(organization.id, { phone_number: dialedNumber, agent_id: this.agent.id });
  }

  /** Rings. A service that has nothing to prepare answers at once. */
  async ringUp(incoming: ScriptedIncomingCall = this.incoming): Promise<void> {
    this.incoming = incoming;
    this.telephony.ring(incoming);
    await this.clock.advance(0);
  }

  /**
   * Lets time pass until the call is answered: the service may prepare the greeting while it rings.
   * @returns when that was, on the call's clock
   */
  async answered(): Promise<number> {
    const { incoming, clock } = this;
    while (!incoming.answered && incoming.end === null) await clock.advance(1);
    return clock.nowMs();
  }

  /** Whether the service would take another call. */
  get admits(): boolean {
    return this.telephony.admits;
  }

  /** The call as it is stored. */
  async stored(): Promise<Call> {
    const { calls } = await this.va.operations.calls.list(this.orgId, {});
    const [call] = calls;
    if (call === undefined) throw new Error('No call was stored.');
    return call;
  }

  /**
   * Gives the running call a command, as POST /calls/{id}/control does.
   * @throws RequestError
   */
  async control(command: NewControlCommand): Promise<void> {
    const { id } = await this.stored();
    await this.va.operations.calls.control(this.orgId, id, command);
  }

  /** Closes the service, and with it the call. */
  async close(): Promise<void> {
    const closing = this.va.close({ drainMs: 0 });
    await this.clock.advance(100);
    await closing;
  }
}
