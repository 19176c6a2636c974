import { ProviderError, type VoiceAgentsOptions } from '@va/core';
import {
  CallUnderTest,
  callerFrame,
  calling,
  ScriptedWebhooks,
  saying,
  scriptedLlm,
  scriptedStt,
  scriptedTts,
} from '@va/testkit';
import { Counter, Registry } from 'prom-client';
import { afterEach, describe, expect, it } from 'vitest';
import { prometheus, type VoiceMetrics } from '../../src/prometheus.ts';

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Watched {
  readonly call: CallUnderTest;
  readonly metrics: VoiceMetrics;
}

/** Runs a call in which the caller speaks, a tool is called and the agent replies. */
async function watchedCall(registry?: Registry, service: Partial<VoiceAgentsOptions> = {}): Promise<Watched> {
  const lost = new ProviderError('scripted', 'quota', 'no credit');
  const call = new CallUnderTest({
    providers: [
      scriptedStt({ turns: ['is it there', 'and now'] }),
      scriptedLlm([calling('lookup'), saying('It is.'), [lost], [lost], [lost]]),
      scriptedTts(),
    ],
    webhooks: new ScriptedWebhooks(),
    service,
  });
  const metrics = prometheus(call.va, registry === undefined ? {} : { registry });
  closing.push(async () => {
    metrics.close();
    await call.close();
  });
  await call.start({
    name: 'Anna',
    webhook_url: 'https://customer.test/hook',
    stt_config: { provider: 'scripted' },
    llm_config: { provider: 'scripted', messages: [], tools: [{ type: 'function', name: 'lookup' }] },
    tts_config: { provider: 'scripted' },
  });
  await call.ringUp();
  await call.answered();
  await hear(call, 400, true);
  await hear(call, 3_000, false);
  return { call, metrics };
}

async function hear(call: CallUnderTest, ms: number, speaking: boolean): Promise<void> {
  for (let passed = 0; passed < ms; passed += 20) {
    call.incoming.hear(callerFrame(speaking));
    await call.clock.advance(20);
  }
}

/** Returns the value of a line by its name with labels. */
function sampleOf(text: string, name: string): number | null {
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? null : Number(line.slice(name.length + 1));
}

describe('the metrics of a service', () => {
  it('count a call in progress, and its end', async () => {
    const { call, metrics } = await watchedCall();
    const during = await metrics.read();
    expect(sampleOf(during, 'va_calls_active{direction="inbound"}')).toBe(1);
    expect(sampleOf(during, 'va_calls_active{direction="outbound"}')).toBe(0);
    expect(sampleOf(during, 'va_calls_limit')).toBe(200);
    expect(sampleOf(during, 'va_call_answer_delay_seconds_count{direction="inbound"}')).toBe(1);
    expect(sampleOf(during, 'va_tool_call_duration_seconds_count{outcome="ok"}')).toBe(1);
    expect(sampleOf(during, 'va_turn_latency_seconds_count')).toBe(1);
    expect(sampleOf(during, 'va_turn_part_latency_seconds_count{part="endpointing"}')).toBe(1);
    expect(sampleOf(during, 'va_jobs_waiting{queue="webhooks"}')).toBe(0);

    call.incoming.leave();
    await call.clock.advance(2_000);
    const after = await metrics.read();
    expect(sampleOf(after, 'va_calls_active{direction="inbound"}')).toBe(0);
    expect(sampleOf(after, 'va_calls_ended_total{direction="inbound",reason="user_hangup"}')).toBe(1);
    const total = (call.ended?.latency?.turns[0]?.total_ms ?? 0) / 1_000;
    expect(sampleOf(after, 'va_turn_latency_seconds_sum')).toBeCloseTo(total, 5);
    expect(total).toBeGreaterThan(0);
  });

  it('count provider failures by kind and fault', async () => {
    const { call, metrics } = await watchedCall();
    await hear(call, 400, true);
    await hear(call, 3_000, false);
    const failures = sampleOf(
      await metrics.read(),
      'va_provider_failures_total{provider="scripted",kind="llm",fault="quota"}',
    );
    expect(failures).toBe(1);
  });

  it('measure webhooks, media and interruptions', async () => {
    const { call, metrics } = await watchedCall();
    const { events } = call.va;
    const about = { webhookId: 'msg_1', url: 'https://customer.test', orgId: 'acme', agentId: null, callId: null };
    const attempt = { ...about, event: 'tool-calls', attempt: 1, isLast: true, headers: {}, body: '' } as const;
    const failed = { ok: false, reason: 'timeout', status: null, message: '', latencyMs: 10_000 } as const;
    events.emit('webhook.attempt', { ...attempt, outcome: { ok: true, status: 200, body: {}, latencyMs: 30 } });
    events.emit('webhook.attempt', { ...attempt, outcome: failed });
    events.emit('call.refused', { telephony: 'sip' });
    const stored = await call.stored();
    events.emit('call.ended', {
      orgId: 'acme',
      call: {
        ...stored,
        latency: { turns: [], total_ms: null, interruptions_ms: [220] },
        media: {
          received: { packets: 500, packets_lost: 3, packets_dropped: 0, jitter_ms: 4 },
          sent: { packets: 400, packets_lost: null, jitter_ms: null },
          round_trip_ms: null,
        },
      },
    });
    const text = await metrics.read();
    const attempts = 'va_webhook_attempt_duration_seconds';
    expect(sampleOf(text, `${attempts}_sum{event="tool-calls",outcome="ok"}`)).toBe(0.03);
    expect(sampleOf(text, `${attempts}_count{event="tool-calls",outcome="timeout"}`)).toBe(1);
    expect(sampleOf(text, 'va_calls_refused_total{telephony="sip"}')).toBe(1);
    expect(sampleOf(text, 'va_interruption_latency_seconds_sum')).toBe(0.22);
    expect(sampleOf(text, 'va_media_packets_lost_total{direction="received"}')).toBe(3);
    expect(sampleOf(text, 'va_media_packets_lost_total{direction="sent"}')).toBeNull();
    expect(sampleOf(text, 'va_media_jitter_seconds_sum{direction="received"}')).toBe(0.004);
    expect(sampleOf(text, 'va_event_loop_lag_p99_seconds')).toBeGreaterThanOrEqual(0);
  });

  it('count the usage and the cost of ended calls, of their analysis, and budgets', async () => {
    const { call, metrics } = await watchedCall(undefined, {
      currency: 'EUR',
      prices: [{ provider: 'scripted', kind: 'tts_characters', price: 0.5, per: 'character' }],
    });
    const status = { scope: 'call', cost: 1, limit: 1 } as const;
    const { id: callId } = await call.stored();
    call.va.events.emit('call.notice', {
      orgId: 'acme',
      callId,
      notice: { type: 'budget', level: 'warning', ...status },
    });
    call.incoming.leave();
    await call.clock.advance(2_000);
    const before = await metrics.read();
    // "It is." is synthesized once.
    expect(sampleOf(before, 'va_usage_total{provider="scripted",kind="tts_characters"}')).toBe(6);
    expect(sampleOf(before, 'va_cost_total{currency="EUR",provider="scripted",kind="tts_characters"}')).toBe(3);
    expect(sampleOf(before, 'va_cost_total{currency="EUR",provider="scripted",kind="tts_seconds"}')).toBeNull();
    expect(sampleOf(before, 'va_budget_events_total{scope="call",level="warning"}')).toBe(1);

    const item = { provider: 'scripted', model: null, is_estimate: false, own_key: false } as const;
    call.va.events.emit('call.analyzed', {
      orgId: 'acme',
      call: await call.stored(),
      usage: [{ ...item, kind: 'tts_characters', quantity: 4, unit: 'character', price: 2 }],
    });
    const after = await metrics.read();
    expect(sampleOf(after, 'va_usage_total{provider="scripted",kind="tts_characters"}')).toBe(10);
    expect(sampleOf(after, 'va_cost_total{currency="EUR",provider="scripted",kind="tts_characters"}')).toBe(5);
  });

  it('have no ids and no organizations in their labels', async () => {
    const { call, metrics } = await watchedCall();
    const text = await metrics.read();
    expect(text).not.toContain(call.orgId);
    expect(text).not.toContain((await call.stored()).id);
    expect(text).not.toContain('lookup');
  });

  it('are added to the registry of the host', async () => {
    const registry = new Registry();
    new Counter({ name: 'shop_orders_total', help: 'Orders', registers: [registry] }).inc();
    const { metrics } = await watchedCall(registry);
    const text = await metrics.read();
    expect(text).toContain('shop_orders_total 1');
    expect(text).toContain('va_calls_active');
  });

  it('omit the jobs if the database is unreachable', async () => {
    const { call } = await watchedCall();
    const { clock, events, logger } = call.va;
    const va = { clock, events, logger, currency: null, load: () => Promise.reject(new Error('connect ECONNREFUSED')) };
    const metrics = prometheus(va);
    const text = await metrics.read();
    metrics.close();
    expect(text).toContain('va_calls_active');
    expect(text).not.toMatch(/^va_jobs_waiting\{/m);
  });

  it('stop counting when they are closed', async () => {
    const { call, metrics } = await watchedCall();
    const before = call.va.events.listenerCount('call.ended');
    metrics.close();
    expect(call.va.events.listenerCount('call.ended')).toBe(before - 1);
  });
});
