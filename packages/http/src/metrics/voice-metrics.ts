import { callDirections, type VoiceAgents } from '@va/core';
import { toError } from '@va/core/adapter';
import { Registry } from 'prom-client';
import type { MetricsSource } from './access.ts';
import { EventLoopLag } from './event-loop-lag.ts';
import { createInstruments, type Instruments } from './instruments.ts';
import { LiveCallsSeen } from './live-calls-seen.ts';
import { recordEvents } from './record-events.ts';

/** Options of `prometheus()`. */
export interface PrometheusOptions {
  /** The registry for the metrics, which may also hold metrics of the host; a new one by default. */
  readonly registry?: Registry;
}

/** The metrics of a service, as a source for `createHandler()`. */
export interface VoiceMetrics extends MetricsSource {
  readonly registry: Registry;
  /** Stops counting. */
  close(): void;
}

/**
 * Collects Prometheus metrics of a service from now on; call it before the service starts.
 *
 * @example
 * const metrics = prometheus(va);
 * const handler = createHandler(va, { metrics: { source: metrics, bearerToken } });
 */
export function prometheus(
  va: Pick<VoiceAgents, 'events' | 'clock' | 'load' | 'logger' | 'currency'>,
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

/**
 * Updates the gauges of the service's load. A failure is logged only: the other metrics matter most during an outage of
 * the database.
 */
async function setLoad(
  { callsLimit, webhooksInFlight, jobs }: Instruments,
  va: Pick<VoiceAgents, 'load' | 'logger'>,
): Promise<void> {
  jobs.reset();
  try {
    const load = await va.load();
    callsLimit.set(load.maxConcurrentCalls);
    if (load.webhooksInFlight !== null) webhooksInFlight.set(load.webhooksInFlight);
    for (const [queue, waiting] of Object.entries(load.jobs ?? {})) jobs.set({ queue }, waiting);
  } catch (thrown) {
    va.logger.warn({ err: toError(thrown) }, 'failed to read the load of the service for its metrics');
  }
}
