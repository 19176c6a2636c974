import { type ConversationNotice, createVoiceAgents, type NewAgent, type NewControlCommand } from '@va/core';
import type { TelephonyHost } from '@va/core/adapter';
import { memory } from '@va/storage/memory';
import {
  callerFrame,
  calling,
  levelVad,
  ScriptedIncomingCall,
  ScriptedWebhooks,
  saying,
  scriptedLlm,
  scriptedRealtime,
  scriptedStt,
  scriptedTts,
  silentLogger,
} from '@va/testkit';

/**
 * Runs as its own process: calls are hung up in every state, with real timers, on both pipelines. Then it closes the
 * service and prints the handles that are left.
 */
const story = 'One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen.';
const number = '+31201234567';
const realtimeNumber = '+31201234568';
const unansweredCaller = '+31600000000';
const never = new Promise<never>(() => {});
const hosts: TelephonyHost[] = [];
const webhooks = new ScriptedWebhooks();
webhooks.outcome = ({ event, message }) =>
  event === 'tool-calls' || JSON.stringify(message).includes(unansweredCaller)
    ? never
    : { ok: true, status: 200, body: {}, latencyMs: 1 };

const va = createVoiceAgents({
  // Other processes of the machine may delay this one.
  limits: { maxEventLoopLagMs: Number.POSITIVE_INFINITY },
  storage: memory(),
  providers: [
    scriptedStt({ turns: ['Look it up.', 'Wait.'] }),
    scriptedLlm(({ messages }) => {
      const last = messages.at(-1)?.content;
      return last === 'Look it up.' ? [150, ...calling('look_up')] : [5_000, ...saying(story)];
    }),
    scriptedTts(),
    scriptedRealtime({ turns: ['Look it up.', 'Wait.'], responses: [calling('look_up')] }),
  ],
  telephony: [{ id: 'scripted', start: async (host) => void hosts.push(host), close: async () => {} }],
  webhooks,
  recordings: {
    create: async () => ({ write() {}, close: async () => {} }),
    open: async () => null,
    delete: async () => false,
  },
  vad: levelVad(),
  logger: silentLogger,
});
await va.start();
const { id: orgId } = await va.operations.organizations.ensureDefault();
const common = {
  first_message: story,
  webhook_url: 'https://customer.test/hook',
  webhook_events: ['assistant-request', 'status-update', 'end-of-call-report'],
} satisfies Partial<NewAgent>;
const tools = [{ type: 'function', name: 'look_up' } as const, { type: 'endCall' } as const];
const cascade = await va.operations.agents.create(orgId, {
  ...common,
  name: 'cascade',
  stt_config: { provider: 'scripted' },
  llm_config: { provider: 'scripted', tools },
  tts_config: { provider: 'scripted' },
});
const realtime = await va.operations.agents.create(orgId, {
  ...common,
  name: 'realtime',
  llm_config: { provider: 'scripted_realtime', tools },
});
await va.operations.numbers.register(orgId, { phone_number: number, agent_id: cascade.id });
await va.operations.numbers.register(orgId, { phone_number: realtimeNumber, agent_id: realtime.id });

/** Types of the notices of each call, by caller. */
const notices = new Map<string, string[]>();
const callers = new Map<string, string | null>();
va.events.on('call.created', ({ call }) => void callers.set(call.id, call.caller_phone));
va.events.on('call.notice', ({ callId, notice }) => {
  const caller = callers.get(callId) ?? '';
  notices.set(caller, [...(notices.get(caller) ?? []), notice.type]);
});

const frame = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await frame();
}

/** The far end of a call, which brings it into a state. */
class Caller {
  readonly call: ScriptedIncomingCall;
  readonly #phone: string;

  constructor(call: ScriptedIncomingCall, phone: string) {
    this.call = call;
    this.#phone = phone;
  }

  count(notice: ConversationNotice['type']): number {
    return (notices.get(this.#phone) ?? []).filter((type) => type === notice).length;
  }

  /** Waits for a notice. */
  async notices(type: ConversationNotice['type']): Promise<void> {
    await until(() => this.count(type) > 0);
  }

  async says(isSpeaking: boolean, isEnough: () => boolean): Promise<void> {
    while (!isEnough()) {
      this.call.hear(callerFrame(isSpeaking));
      await frame();
    }
  }

  async interrupts(): Promise<void> {
    await this.notices('agent-speaking');
    await this.says(true, () => this.count('interrupted') > 0);
  }

  async control(body: NewControlCommand): Promise<void> {
    await this.notices('agent-speaking');
    const { calls } = await va.operations.calls.list(orgId, { status: 'in-progress' });
    const id = calls.find(({ caller_phone: caller }) => caller === this.#phone)?.id ?? '';
    await va.operations.calls.control(orgId, id, body);
  }
}

/** Brings a call into each state before it is hung up. */
const states: Record<string, (caller: Caller) => Promise<void>> = {
  'as it comes': async () => {},
  'while it rings': async ({ call }) => await until(() => call.rang),
  'while the agent speaks': async (caller) => await caller.notices('agent-speaking'),
  'while the caller speaks': async (caller) => {
    await caller.notices('agent-speaking');
    await caller.says(true, () => caller.count('user-speaking') > 0);
  },
  'after an interruption': async (caller) => await caller.interrupts(),
  'while a tool runs': async (caller) => {
    await caller.interrupts();
    await caller.says(false, () => caller.count('tool-call') > 0);
  },
  'while it is muted': async (caller) => await caller.control({ type: 'mute-assistant' }),
  'while it is on hold': async (caller) => {
    await caller.notices('agent-speaking');
    caller.call.receiving = false;
    await frame();
  },
  'while a key waits for the next': async (caller) => {
    await caller.notices('agent-speaking');
    caller.call.press('1');
  },
  'in the goodbye': async (caller) => {
    await caller.control({ type: 'end-call', message: story });
    await until(() => caller.count('agent-speaking') > 1);
  },
};

let ended = 0;
va.events.on('call.ended', () => {
  ended += 1;
});
const served = Object.entries(states).flatMap(([name, reach], state) =>
  [number, realtimeNumber].map(async (to, pipeline) => {
    // The assistant-request of this call is never answered.
    const from = name === 'while it rings' ? unansweredCaller : `+3161234${1_000 + 10 * state + pipeline}`;
    const call = new ScriptedIncomingCall({ to, from, id: `${name} ${to}` });
    hosts[0]?.onIncomingCall(call);
    await reach(new Caller(call, from));
    call.leave();
  }),
);
await Promise.all(served);
await until(() => ended === served.length);
await va.close();
/** Of the process, apart from its output. */
const handles = (): string[] => process.getActiveResourcesInfo().filter((kind) => kind !== 'PipeWrap');
// Threads take a moment to exit.
for (let waited = 0; waited < 50 && handles().length > 0; waited += 1) await frame();
const { calls } = await va.operations.calls.list(orgId, {}).catch(() => ({ calls: [] }));
console.log(
  JSON.stringify({
    served: served.length,
    ended,
    open: calls.filter(({ ended_at }) => ended_at === null).length,
    left: handles(),
  }),
);
