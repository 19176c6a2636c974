import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { answerBuckets, durationBuckets, jitterBuckets, partBuckets, requestBuckets, turnBuckets } from './buckets.ts';

/**
 * All metrics of the service. Labels have few values, defined by the service or the host: no ids and nothing named by a
 * customer.
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
  readonly preparedReplies: Counter<'outcome'>;
  readonly providerFailures: Counter<'provider' | 'kind' | 'fault'>;
  readonly tools: Histogram<'outcome'>;
  readonly webhooks: Histogram<'event' | 'outcome'>;
  readonly webhooksInFlight: Gauge;
  readonly webhooksDisabled: Counter;
  readonly jobs: Gauge<'queue'>;
  readonly packets: Counter<'direction'>;
  readonly packetsLost: Counter<'direction'>;
  readonly jitter: Histogram<'direction'>;
  readonly eventLoopLag: Gauge;
  readonly usage: Counter<'provider' | 'kind'>;
  readonly cost: Counter<'currency' | 'provider' | 'kind'>;
  readonly budgets: Counter<'scope' | 'level'>;
}

/**
 * Registers the metrics.
 * @throws Error if the registry already has a metric of the same name
 */
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
    callsActive: gauge('va_calls_active', 'Calls in progress in this process', direction),
    callsLimit: gauge('va_calls_limit', 'Maximum number of concurrent calls of this process', []),
    callsEnded: counter('va_calls_ended_total', 'Ended calls', ['direction', 'reason']),
    callsRefused: counter('va_calls_refused_total', 'Calls refused because the process was full or closing', [
      'telephony',
    ]),
    callDuration: histogram('va_call_duration_seconds', 'Duration of answered calls', direction, durationBuckets),
    answerDelay: histogram(
      'va_call_answer_delay_seconds',
      'Time from the start of a call to its answer',
      direction,
      answerBuckets,
    ),
    turn: histogram(
      'va_turn_latency_seconds',
      "Time from the end of the caller's speech to the first frame of the reply",
      [],
      turnBuckets,
    ),
    turnPart: histogram(
      'va_turn_part_latency_seconds',
      'Parts of the turn latency: endpointing, stt_final, first_audio (from the end of speech), llm_first_token, ' +
        'tts_first_byte',
      ['part'],
      partBuckets,
    ),
    preparedReplies: counter(
      'va_prepared_replies_total',
      'Replies prepared before the end of a turn: used, or dropped because the words changed',
      ['outcome'],
    ),
    interruption: histogram(
      'va_interruption_latency_seconds',
      "Time from the start of an interruption to the agent's silence",
      [],
      partBuckets,
    ),
    providerFailures: counter('va_provider_failures_total', 'Provider failures during calls', [
      'provider',
      'kind',
      'fault',
    ]),
    tools: histogram('va_tool_call_duration_seconds', 'Tool calls', ['outcome'], requestBuckets),
    webhooks: histogram(
      'va_webhook_attempt_duration_seconds',
      'Webhook delivery attempts',
      ['event', 'outcome'],
      requestBuckets,
    ),
    webhooksInFlight: gauge('va_webhooks_in_flight', 'Webhooks in flight or due in this process', []),
    webhooksDisabled: counter('va_webhook_endpoints_disabled_total', 'Servers to which deliveries are disabled', []),
    jobs: gauge('va_jobs_waiting', 'Stored jobs that are not done, over all processes', ['queue']),
    packets: counter('va_media_packets_total', 'Media packets of ended calls', direction),
    packetsLost: counter('va_media_packets_lost_total', 'Lost media packets of ended calls', direction),
    jitter: histogram('va_media_jitter_seconds', 'Jitter at the end of a call', direction, jitterBuckets),
    eventLoopLag: gauge(
      'va_event_loop_lag_p99_seconds',
      'Event loop delay since the last scrape (99th percentile)',
      [],
    ),
    usage: counter('va_usage_total', 'Tokens, seconds, characters and minutes of ended calls and their analysis', [
      'provider',
      'kind',
    ]),
    cost: counter('va_cost_total', 'Prices of that usage', ['currency', 'provider', 'kind']),
    budgets: counter('va_budget_events_total', 'Budgets of calls that reached a level', ['scope', 'level']),
  };
}
