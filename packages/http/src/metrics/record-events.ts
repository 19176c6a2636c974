import type { Call, CostItem, ServiceEvents, TurnLatency, VoiceAgents } from '@va/core';
import type { WebhookAttempt } from '@va/core/adapter';
import type { Instruments } from './instruments.ts';
import type { LiveCallsSeen } from './live-calls-seen.ts';

/** Updates the metrics on the events of the service. Returns a function that stops it. */
export function recordEvents(
  { events, clock, currency }: Pick<VoiceAgents, 'events' | 'clock' | 'currency'>,
  to: Instruments,
  live: LiveCallsSeen,
): () => void {
  const onCreated: ServiceEvents['call.created'] = ({ call }) => live.add(call.id, call.direction);
  const onRefused: ServiceEvents['call.refused'] = ({ telephony }) => to.callsRefused.inc({ telephony });
  const onAnswered: ServiceEvents['call.answered'] = ({ call }) => {
    const delay = seconds(call.created_at, call.answered_at);
    if (delay !== null) to.answerDelay.observe({ direction: call.direction }, delay);
  };
  const onNotice: ServiceEvents['call.notice'] = ({ callId, notice }) => {
    if (notice.type === 'latency') recordTurn(to, notice.turn);
    if (notice.type === 'budget') to.budgets.inc({ scope: notice.scope, level: notice.level });
    if (notice.type === 'tool-call') live.toolCalled(callId, notice.call.id, clock.nowMs());
    if (notice.type !== 'tool-result') return;
    const ranMs = live.toolSettled(callId, notice.callId, clock.nowMs());
    if (ranMs !== null) to.tools.observe({ outcome: notice.outcome.ok ? 'ok' : 'error' }, ranMs / 1_000);
  };
  const onFailed: ServiceEvents['provider.failed'] = ({ provider, kind, fault }) =>
    to.providerFailures.inc({ provider, kind, fault });
  const onEnded: ServiceEvents['call.ended'] = ({ call }) => {
    live.delete(call.id);
    recordEnd(to, call);
    recordUsage(to, call.cost_breakdown, currency);
  };
  const onAnalyzed: ServiceEvents['call.analyzed'] = ({ usage }) => recordUsage(to, usage, currency);
  const onAttempt: ServiceEvents['webhook.attempt'] = (attempt) => recordAttempt(to, attempt);
  const onDisabled: ServiceEvents['webhook.disabled'] = () => to.webhooksDisabled.inc();

  events.on('call.created', onCreated).on('call.refused', onRefused).on('call.answered', onAnswered);
  events.on('call.notice', onNotice).on('provider.failed', onFailed).on('call.ended', onEnded);
  events.on('webhook.attempt', onAttempt).on('webhook.disabled', onDisabled).on('call.analyzed', onAnalyzed);
  return () => {
    events.off('call.created', onCreated).off('call.refused', onRefused).off('call.answered', onAnswered);
    events.off('call.notice', onNotice).off('provider.failed', onFailed).off('call.ended', onEnded);
    events.off('webhook.attempt', onAttempt).off('webhook.disabled', onDisabled).off('call.analyzed', onAnalyzed);
  };
}

function recordTurn(to: Instruments, { total_ms: totalMs, ...parts }: TurnLatency): void {
  to.turn.observe(totalMs / 1_000);
  for (const [name, ms] of Object.entries(parts)) {
    if (ms !== null) to.turnPart.observe({ part: name.replace(/_ms$/, '') }, ms / 1_000);
  }
}

function recordEnd(to: Instruments, call: Call): void {
  const { direction, end_reason: reason, latency, media } = call;
  to.callsEnded.inc({ direction, reason: reason ?? 'unknown' });
  const lasted = seconds(call.answered_at, call.ended_at);
  if (lasted !== null) to.callDuration.observe({ direction }, lasted);
  for (const ms of latency?.interruptions_ms ?? []) to.interruption.observe(ms / 1_000);
  const { made, used } = latency?.prepared_replies ?? { made: 0, used: 0 };
  to.preparedReplies.inc({ outcome: 'used' }, used);
  to.preparedReplies.inc({ outcome: 'dropped' }, made - used);
  if (media === null) return;
  for (const way of ['received', 'sent'] as const) {
    const { packets, packets_lost: lost, jitter_ms: jitterMs } = media[way];
    to.packets.inc({ direction: way }, packets);
    // Duplicates can make the cumulative loss negative (RFC 3550 §6.4.1).
    if (lost !== null) to.packetsLost.inc({ direction: way }, Math.max(0, lost));
    if (jitterMs !== null) to.jitter.observe({ direction: way }, jitterMs / 1_000);
  }
}

/** Counts usage and its prices. The label `provider` has few values: ids of the host's registry. */
function recordUsage(to: Instruments, items: readonly CostItem[], currency: string | null): void {
  for (const { provider, kind, quantity, price } of items) {
    to.usage.inc({ provider, kind }, quantity);
    if (price !== null && currency !== null) to.cost.inc({ currency, provider, kind }, price);
  }
}

function recordAttempt(to: Instruments, { event, outcome }: WebhookAttempt): void {
  to.webhooks.observe({ event, outcome: outcome.ok ? 'ok' : outcome.reason }, outcome.latencyMs / 1_000);
}

function seconds(from: string | null, to: string | null): number | null {
  return from === null || to === null ? null : Math.max(0, (Date.parse(to) - Date.parse(from)) / 1_000);
}
