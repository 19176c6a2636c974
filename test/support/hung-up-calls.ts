import { setTimeout as pause } from 'node:timers/promises';
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
import { openHandles } from './open-handles.ts';

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

/** Ids of the calls, by caller. */
const ids = new Map<string, string>();
/** Notices and DTMF events of each call, by its id. */
const happened = new Map<string, Happening[]>();

type Happening = ConversationNotice['type'] | 'dtmf';

function record(callId: string, happening: Happening): void {
  happened.set(callId, [...(happened.get(callId) ?? []), happening]);
}

va.events.on('call.created', ({ call }) => void ids.set(call.caller_phone ?? '', call.id));
va.events.on('call.notice', ({ callId, notice }) => record(callId, notice.type));
va.events.on('call.dtmf', ({ callId }) => record(callId, 'dtmf'));

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await pause(20);
}

/** The far end of a call, which brings it into a state. */
class Caller {
  readonly call: ScriptedIncomingCall;
  readonly #phone: string;

  constructor(call: ScriptedIncomingCall, phone: string) {
    this.call = call;
    this.#phone = phone;
  }

  /** Returns how many times the event has occurred in the call. */
  count(happening: Happening): number {
    return (happened.get(this.#id) ?? []).filter((each) => each === happening).length;
  }

  /** Waits until the event has occurred in the call. */
  async sees(happening: Happening): Promise<void> {
    await until(() => this.count(happening) > 0);
  }

  /** Speaks, or is silent, until the event has occurred in the call. */
  async says(isSpeaking: boolean, happening: Happening): Promise<void> {
    while (this.count(happening) === 0) {
      this.call.hear(callerFrame(isSpeaking));
      await pause(20);
    }
  }

  async interrupts(): Promise<void> {
    await this.sees('agent-speaking');
    await this.says(true, 'interrupted');
  }

  async control(body: NewControlCommand): Promise<void> {
    await this.sees('agent-speaking');
    await va.operations.calls.control(orgId, this.#id, body);
  }

  get #id(): string {
    return ids.get(this.#phone) ?? '';
  }
}

/** Brings a call into each state before it is hung up. */
const states: Record<string, (caller: Caller) => Promise<void>> = {
  'as it comes': async () => {},
  'while it rings': async ({ call }) => await until(() => call.rang),
  'while the agent speaks': async (caller) => await caller.sees('agent-speaking'),
  'while the caller speaks': async (caller) => {
    await caller.sees('agent-speaking');
    await caller.says(true, 'user-speaking');
  },
  'while the agent holds still': async (caller) => await caller.interrupts(),
  'while a tool runs': async (caller) => {
    await caller.interrupts();
    await caller.says(false, 'tool-call');
  },
  'while it is muted': async (caller) => await caller.control({ type: 'mute-assistant' }),
  'while it is on hold': async (caller) => {
    await caller.sees('agent-speaking');
    caller.call.receiving = false;
    // The hold is noticed with the next frame.
    const sentBefore = caller.call.sent.length;
    await until(() => caller.call.sent.length > sentBefore + 1);
  },
  'while a key waits for the next': async (caller) => {
    await caller.sees('agent-speaking');
    caller.call.press('1');
    await caller.sees('dtmf');
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
// Threads take a moment to exit.
const left = await openHandles(200);
const { calls } = await va.operations.calls.list(orgId, {}).catch(() => ({ calls: [] }));
console.log(
  JSON.stringify({
    served: served.length,
    ended,
    open: calls.filter(({ ended_at }) => ended_at === null).length,
    left,
  }),
);
