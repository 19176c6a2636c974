import type { VoiceAgents } from '@va/core';
import { hrClock } from '../hr-clock.ts';

export interface ServiceFigures {
  /** Times from the caller's last frame to the first audio of the reply, without endpointing. */
  readonly turnMs: readonly number[];
  /**
   * Times from the first frame of an interruption to the agent's silence, without the duration required of an
   * interruption; of calls that ended since the last request.
   */
  readonly bargeMs: readonly number[];
  readonly cpuMs: number;
  readonly elapsedMs: number;
  readonly rssMb: number;
}

interface Settings {
  readonly endpointingMs: number;
  readonly interruptionMs: number;
  /** Addresses and ids of the service for callers, as JSON; sent to the parent process. */
  readonly target: string;
}

/**
 * Measures the service of this process. The message `reset` starts a measurement; the message `figures` is answered
 * with `ServiceFigures`.
 */
export function meterService(va: VoiceAgents, { endpointingMs, interruptionMs, target }: Settings): void {
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
}
