import { createVoiceAgents, type NewAgent, type NewControlCommand } from '@va/core';
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

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function hear(call: ScriptedIncomingCall, ms: number, isSpeaking: boolean): Promise<void> {
  for (let passed = 0; passed < ms; passed += 20) {
    call.hear(callerFrame(isSpeaking));
    await pause(20);
  }
}

/** Brings a call into each state before it is hung up. */
const states: Record<
  string,
  (call: ScriptedIncomingCall, control: (body: NewControlCommand) => Promise<unknown>) => Promise<void>
> = {
  'as it comes': async () => {},
  'while it rings': () => pause(30),
  'while the agent speaks': () => pause(400),
  'while the caller speaks': async (call) => {
    await pause(1_300);
    await hear(call, 200, true);
  },
  'while the agent holds still': async (call) => {
    await pause(1_300);
    await hear(call, 700, true);
  },
  'while a tool runs': async (call) => {
    await pause(1_300);
    await hear(call, 700, true);
    await hear(call, 1_000, false);
  },
  'while it is muted': async (_call, control) => {
    await pause(300);
    await control({ type: 'mute-assistant' });
    await pause(100);
  },
  'while it is on hold': async (call) => {
    await pause(300);
    call.receiving = false;
    await pause(100);
  },
  'while a key waits for the next': async (call) => {
    await pause(1_300);
    call.press('1');
    await pause(50);
  },
  'in the goodbye': async (_call, control) => {
    await pause(1_300);
    await control({ type: 'end-call', message: story });
    await pause(200);
  },
};

let ended = 0;
va.events.on('call.ended', () => {
  ended += 1;
});
const served = Object.entries(states).flatMap(([name, lead], state) =>
  [number, realtimeNumber].map(async (to, pipeline) => {
    // The assistant-request of this call is never answered.
    const from = name === 'while it rings' ? unansweredCaller : `+3161234${1_000 + 10 * state + pipeline}`;
    const call = new ScriptedIncomingCall({ to, from, id: `${name} ${to}` });
    hosts[0]?.onIncomingCall(call);
    const inProgress = async (): Promise<string | undefined> => {
      const { calls } = await va.operations.calls.list(orgId, { status: 'in-progress' });
      return calls.find(({ caller_phone: caller }) => caller === from)?.id;
    };
    const control = async (body: NewControlCommand): Promise<unknown> => {
      let id = await inProgress();
      for (; id === undefined; id = await inProgress()) await pause(20);
      return await va.operations.calls.control(orgId, id, body);
    };
    await lead(call, control);
    call.leave();
  }),
);
await Promise.all(served);
await pause(300);
await va.close();
await pause(200);
const left = process.getActiveResourcesInfo().filter((kind) => kind !== 'PipeWrap');
const { calls } = await va.operations.calls.list(orgId, {}).catch(() => ({ calls: [] }));
console.log(
  JSON.stringify({
    served: served.length,
    ended,
    open: calls.filter(({ ended_at }) => ended_at === null).length,
    left,
  }),
);
