import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { answerBuckets, durationBuckets, jitterBuckets, partBuckets, requestBuckets, turnBuckets } from './buckets.ts';

/**
 * All of the service's metrics. Labels have few values, which are the service's own or the host's: no ids, and nothing
 * that a customer names.
 */
export interface Instruments {
  readonly callsActive: Gauge<'direction'>;
  readonly callsLimit: Gauge;
  readonly callsEnded: Counter<'direction' | 'reason'>;
  readonly callsRefused: Counter<'telephony'>;
  readonly callDuration: Histogram<'direction'>;
  readonly answerDelay: Histogram<'direction'>;
  readonly turn: Histogram;
  readonly turnPart: Histogram<'part'>;
  readonly interruption: Histogram;
  readonly providerFailures: Counter<'provider' | 'kind' | 'fault'>;
  readonly tools: Histogram<'outcome'>;
  readonly webhooks: Histogram<'event' | 'outcome'>;
  readonly webhooksInHand: Gauge;
  readonly webhooksDisabled: Counter;
  readonly jobs: Gauge<'queue'>;
  readonly packets: Counter<'direction'>;
  readonly packetsLost: Counter<'direction'>;
  readonly jitter: Histogram<'direction'>;
  readonly eventLoopLag: Gauge;
}

/** @throws Error where the registry has a metric of such a name already */
export function createInstruments(registry: Registry): Instruments {
  const registers = [registry];
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]): Gauge<L> =>
    new Gauge({ name, help, labelNames, registers });
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]): Counter<L> =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[],
    buckets: number[],
  ): Histogram<L> => new Histogram({ name, help, labelNames, buckets, registers });

  const direction = ['direction'] as const;
  return {
    callsActive: gauge('va_calls_active', 'Calls that go on in this process', direction),
    callsLimit: gauge('va_calls_limit', 'Calls that this process takes at a time', []),
    callsEnded: counter('va_calls_ended_total', 'Calls that are over', ['direction', 'reason']),
    callsRefused: counter('va_calls_refused_total', 'Calls not let in by a full or closing process', ['telephony']),
    callDuration: histogram('va_call_duration_seconds', 'How long answered calls lasted', direction, durationBuckets),
    answerDelay: histogram(
      'va_call_answer_delay_seconds',
      'From the beginning of a call to its answer',
      direction,
      answerBuckets,
    ),
    turn: histogram(
      'va_turn_latency_seconds',
      "From the caller's last speech to the first frame of the reply",
      [],
      turnBuckets,
    ),
    turnPart: histogram(
      'va_turn_part_latency_seconds',
      'The parts of that: endpointing, stt_final, first_audio (from the last speech), llm_first_token, tts_first_byte',
      ['part'],
      partBuckets,
    ),
    interruption: histogram(
      'va_interruption_latency_seconds',
      'How long an interrupting caller had spoken when the agent fell silent',
      [],
      partBuckets,
    ),
    providerFailures: counter('va_provider_failures_total', 'Failures of providers in calls', [
      'provider',
      'kind',
      'fault',
    ]),
    tools: histogram('va_tool_call_duration_seconds', 'Calls of tools', ['outcome'], requestBuckets),
    webhooks: histogram(
      'va_webhook_attempt_duration_seconds',
      "Attempts to reach customers' servers",
      ['event', 'outcome'],
      requestBuckets,
    ),
    webhooksInHand: gauge('va_webhooks_in_hand', 'Webhooks that this process is sending, or about to', []),
    webhooksDisabled: counter('va_webhook_endpoints_disabled_total', 'Servers that are sent nothing any more', []),
    jobs: gauge('va_jobs_waiting', 'Stored jobs that are not done, of all processes', ['queue']),
    packets: counter('va_media_packets_total', 'Media packets of calls that are over', direction),
    packetsLost: counter('va_media_packets_lost_total', 'Media packets that were lost on the way', direction),
    jitter: histogram('va_media_jitter_seconds', 'Jitter at the end of a call', direction, jitterBuckets),
    eventLoopLag: gauge('va_event_loop_lag_p99_seconds', 'Lateness of the event loop since the last look', []),
  };
}
