import { createVoiceAgents } from '@va/core';
import { sip } from '@va/sip';
import { memory } from '@va/storage/memory';
import { saying, scriptedLlm, scriptedStt, scriptedTts, silentLogger } from '@va/testkit';
import { webhooks } from '@va/webhooks';
import { exactVadAtSilerosCost } from '../support/exact-vad.ts';
import { hrClock } from '../support/hr-clock.ts';
import { endpointingMs, interruptionMs, number, type ServiceFigures, turnsInRound } from './settings.ts';

/** The service in a process of its own: told `reset` it begins to measure, told `figures` it tells what it measured. */
const round = [...Array.from({ length: turnsInRound - 1 }, () => 'turn'), 'story', 'stop'];
const telephony = sip({ listen: ['udp://127.0.0.1:0'], inbound: 'open' });
const va = createVoiceAgents({
  storage: memory(),
  providers: [
    scriptedStt({ turns: Array.from({ length: 200 }, () => round).flat() }),
    scriptedTts(),
    scriptedLlm(({ messages }) =>
      saying(messages.at(-1)?.content === 'story' ? 'Once upon a time '.repeat(20) : 'Okay, I have made a note.'),
    ),
  ],
  telephony: [telephony],
  webhooks: webhooks(),
  recordings: { create: async () => ({ write() {}, close: async () => {} }), open: async () => null },
  vad: exactVadAtSilerosCost(),
  clock: hrClock,
  logger: silentLogger,
  maxConcurrentCalls: 1_000,
});
await va.start();
const { id: orgId } = await va.operations.organizations.ensureDefault();
const agent = await va.operations.agents.create(orgId, {
  name: 'bench',
  max_duration_seconds: 600,
  stt_config: { provider: 'scripted' },
  llm_config: { provider: 'scripted' },
  tts_config: { provider: 'scripted' },
  speech_config: {
    vad: { min_speech_ms: 40, min_silence_ms: endpointingMs - 20 },
    endpointing: { mode: 'fixed', min_delay_ms: endpointingMs },
    interruption: { min_duration_ms: interruptionMs },
  },
});
await va.operations.numbers.register(orgId, { phone_number: number, agent_id: agent.id });

let turnMs: number[] = [];
let bargeMs: number[] = [];
let cpu = process.cpuUsage();
let startedAtMs = hrClock.nowMs();
va.events.on('call.notice', ({ notice }) => {
  if (notice.type === 'latency') turnMs.push((notice.turn.first_audio_ms ?? Number.NaN) - endpointingMs);
});
va.events.on('call.ended', ({ call }) => {
  for (const afterMs of call.latency?.interruptions_ms ?? []) bargeMs.push(afterMs - interruptionMs);
});

process.on('message', (asked) => {
  if (asked === 'reset') {
    turnMs = [];
    cpu = process.cpuUsage();
    startedAtMs = hrClock.nowMs();
    return;
  }
  const { user, system } = process.cpuUsage(cpu);
  const elapsedMs = hrClock.nowMs() - startedAtMs;
  globalThis.gc?.();
  const rssMb = process.memoryUsage().rss / 1_048_576;
  process.send?.({ turnMs, bargeMs, cpuMs: (user + system) / 1_000, elapsedMs, rssMb } satisfies ServiceFigures);
  bargeMs = [];
});
process.on('disconnect', () => process.exit(0));
const [address] = telephony.addresses;
process.send?.({ target: `sip:${number}@127.0.0.1:${address?.port}` });
