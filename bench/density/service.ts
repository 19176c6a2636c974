import { answeringAtOnce, startBenchService } from '../support/bench-service.ts';
import { hrClock } from '../support/hr-clock.ts';
import { endpointingMs, interruptionMs, number, type ServiceFigures, turnsInRound } from './settings.ts';

/** The service's process. The message `reset` starts a measurement, `figures` returns it. */
const round = [...Array.from({ length: turnsInRound - 1 }, () => 'turn'), 'story', 'stop'];
const { va, target } = await startBenchService({
  ...{ number, endpointingMs, interruptionMs },
  providers: answeringAtOnce({
    turns: Array.from({ length: 200 }, () => round).flat(),
    reply: 'Okay, I have made a note.',
  }),
});

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
process.send?.({ target });
