import { callDirections, toError, type VoiceAgents } from '@va/core';
import { Registry } from 'prom-client';
import type { MetricsSource } from './access.ts';
import { EventLoopLag } from './event-loop-lag.ts';
import { createInstruments, type Instruments } from './instruments.ts';
import { LiveCallsSeen } from './live-calls-seen.ts';
import { recordEvents } from './record-events.ts';

export interface PrometheusOptions {
  /** Where the metrics go, beside others of the host's; by default a registry of their own. */
  readonly registry?: Registry;
}

export interface VoiceMetrics extends MetricsSource {
  readonly registry: Registry;
  /** Counts no further. */
  close(): void;
}

/**
 * The metrics of a service for Prometheus, from the moment of this call on: make them before it starts.
 *
 * @example
 * const metrics = prometheus(va);
 * const handler = createHandler(va, { metrics: { source: metrics, bearerToken } });
 */
export function prometheus(
  va: Pick<VoiceAgents, 'events' | 'clock' | 'load' | 'logger'>,
  { registry = new Registry() }: PrometheusOptions = {},
): VoiceMetrics {
  const instruments = createInstruments(registry);
  const live = new LiveCallsSeen();
  const lag = new EventLoopLag();
  const stopRecording = recordEvents(va, instruments, live);

  return {
    registry,
    contentType: registry.contentType,

    async read() {
      for (const direction of callDirections) instruments.callsActive.set({ direction }, live.count(direction));
      instruments.eventLoopLag.set(lag.take());
      await setLoad(instruments, va);
      return await registry.metrics();
    },

    close() {
      lag.stop();
      stopRecording();
    },
  };
}

/** The rest is worth reading while the database is away, and then most of all. */
async function setLoad(
  { callsLimit, webhooksInHand, jobs }: Instruments,
  va: Pick<VoiceAgents, 'load' | 'logger'>,
): Promise<void> {
  jobs.reset();
  try {
    const load = await va.load();
    callsLimit.set(load.maxConcurrentCalls);
    if (load.webhooksInHand !== null) webhooksInHand.set(load.webhooksInHand);
    for (const [queue, waiting] of Object.entries(load.jobs ?? {})) jobs.set({ queue }, waiting);
  } catch (thrown) {
    va.logger.warn({ err: toError(thrown) }, 'the load of the service could not be read for its metrics');
  }
}
