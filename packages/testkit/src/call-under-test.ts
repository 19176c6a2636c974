import {
  type Agent,
  type Call,
  createVoiceAgents,
  type NewAgent,
  type NewControlCommand,
  type VoiceAgents,
  type VoiceAgentsOptions,
} from '@va/core';
import type { Provider, RecordingStore, WebhookDispatcher } from '@va/core/adapter';
import { memory } from '@va/storage/memory';
import { ScriptedIncomingCall } from './scripted/scripted-incoming-call.ts';
import { ScriptedTelephony } from './scripted/scripted-telephony.ts';
import { levelVad } from './scripted/scripted-vad.ts';
import { silentLogger } from './silent-logger.ts';
import { VirtualClock } from './virtual-clock.ts';

/** Number that the agent answers. */
export const dialedNumber = '+31201234567';

/** Options of `CallUnderTest`: the providers and the clock of the service under test. */
export interface CallUnderTestOptions {
  readonly providers: readonly Provider[];
  readonly webhooks: WebhookDispatcher;
  readonly clock?: VirtualClock;
  /** Recordings storage. Default: none. */
  readonly recordings?: RecordingStore;
  /** Further service options, which take precedence over the others. */
  readonly service?: Partial<VoiceAgentsOptions>;
}

const noRecordings: RecordingStore = {
  create: async () => ({ write() {}, close: async () => {} }),
  open: async () => null,
  delete: async () => false,
};

/**
 * A complete service on virtual time, with one agent on one number, and a call to it whose far end is played by the
 * test.
 */
export class CallUnderTest {
  readonly clock: VirtualClock;
  readonly va: VoiceAgents;
  incoming: ScriptedIncomingCall = new ScriptedIncomingCall({ to: dialedNumber });
  agent: Agent | undefined;
  orgId = '';
  /** Stored record of the call that ended last; null until a call has ended. */
  ended: Call | null = null;
  /** Time at which the call ended, on `clock`; 0 until then. */
  endedAtMs = 0;
  /** Number of timers that the started service has pending without any call. */
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
   * Starts the service, and creates the agent (the body of POST /agents) and its number.
   * @throws RequestError when the service rejects the agent
   */
  async start(agent: NewAgent): Promise<void> {
    await this.va.start();
    // Start-up work of the service leaves timers, too.
    await this.clock.advance(0);
    this.idleTimers = this.clock.pending;
    const organization = await this.va.operations.organizations.ensureDefault();
    this.orgId = organization.id;
    this.agent = await this.va.operations.agents.create(organization.id, agent);
    await this.va.operations.numbers.register(organization.id, { phone_number: dialedNumber, agent_id: this.agent.id });
  }

  /** Starts an incoming call. The service answers at once if it has nothing to prepare. */
  async ringUp(incoming: ScriptedIncomingCall = this.incoming): Promise<void> {
    this.incoming = incoming;
    this.telephony.ring(incoming);
    await this.clock.advance(0);
  }

  /**
   * Advances time until the call is answered: the service may prepare the greeting while it rings.
   * @returns the time of the answer on the call's clock
   */
  async answered(): Promise<number> {
    const { incoming, clock } = this;
    while (!incoming.answered && incoming.end === null) await clock.advance(1);
    return clock.nowMs();
  }

  /** True if the service would accept another call. */
  get admits(): boolean {
    return this.telephony.admits;
  }

  /**
   * Returns the stored record of the call.
   * @throws Error if no call was stored
   */
  async stored(): Promise<Call> {
    const { calls } = await this.va.operations.calls.list(this.orgId, {});
    const [call] = calls;
    if (call === undefined) throw new Error('no call was stored');
    return call;
  }

  /**
   * Sends a command to the running call, as POST /calls/{id}/control does.
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
