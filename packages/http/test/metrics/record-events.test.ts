import { EventEmitter } from 'node:events';
import type { ServiceEvents, VoiceAgents } from '@va/core';
import { sampleCall, VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { Instruments } from '../../src/metrics/instruments.ts';
import { LiveCallsSeen } from '../../src/metrics/live-calls-seen.ts';
import { recordEvents } from '../../src/metrics/record-events.ts';

type Recorded = readonly [instrument: string, labels: unknown, value?: unknown];

/** Records the labels and values that the instruments get, in place of a registry. */
function setUp(currency: string | null = 'EUR') {
  const recorded: Recorded[] = [];
  const to = new Proxy({} as Instruments, {
    get: (_, name) => {
      const tell = (...[labels, value]: readonly unknown[]): void => {
        recorded.push(value === undefined ? [String(name), labels] : [String(name), labels, value]);
      };
      return { inc: tell, observe: tell, set: tell };
    },
  });
  const clock = new VirtualClock();
  const emitter = new EventEmitter();
  const live = new LiveCallsSeen();
  const events = emitter as unknown as VoiceAgents['events'];
  const stop = recordEvents({ events, clock, currency }, to, live);
  const emit = <Name extends keyof ServiceEvents>(name: Name, event: object): void => void emitter.emit(name, event);
  const of = (instrument: string): unknown[] =>
    recorded.flatMap(([name, ...rest]) => (name === instrument ? [rest] : []));
  return { recorded, clock, emitter, live, stop, emit, of };
}

const call = sampleCall({ direction: 'inbound', created_at: '2026-01-01T09:00:00.000Z' });
const answered = { ...call, answered_at: '2026-01-01T09:00:02.500Z' };

describe('recordEvents', () => {
  it('counts the calls in progress until they end', () => {
    const { live, emit } = setUp();
    emit('call.created', { call });
    expect(live.count('inbound')).toBe(1);
    emit('call.ended', { call });
    expect(live.count('inbound')).toBe(0);
  });

  it('measures the time until the answer, and from there to the end', () => {
    const { of, emit } = setUp();
    emit('call.answered', { call: answered });
    emit('call.ended', { call: { ...answered, ended_at: '2026-01-01T09:01:02.500Z' } });
    expect(of('answerDelay')).toEqual([[{ direction: 'inbound' }, 2.5]]);
    expect(of('callDuration')).toEqual([[{ direction: 'inbound' }, 60]]);
  });

  it('measures no time of a call that was not answered, and none below 0', () => {
    const { of, emit } = setUp();
    emit('call.ended', { call: { ...call, answered_at: null, ended_at: '2026-01-01T09:01:00.000Z' } });
    emit('call.answered', { call: { ...call, answered_at: '2026-01-01T08:59:59.000Z' } });
    expect([of('callDuration'), of('answerDelay')]).toEqual([[], [[{ direction: 'inbound' }, 0]]]);
  });

  it('counts ends by their reason, also an unknown one', () => {
    const { of, emit } = setUp();
    for (const reason of ['user_hangup', null]) emit('call.ended', { call: { ...call, end_reason: reason } });
    expect(of('callsEnded')).toEqual([
      [{ direction: 'inbound', reason: 'user_hangup' }],
      [{ direction: 'inbound', reason: 'unknown' }],
    ]);
  });

  it('measures only the parts of a turn that have a value', () => {
    const { of, emit } = setUp();
    const turn = { total_ms: 800, endpointing_ms: 300, stt_final_ms: null, llm_first_token_ms: 0 };
    emit('call.notice', { callId: call.id, notice: { type: 'latency', turn } });
    expect(of('turn')).toEqual([[0.8]]);
    expect(of('turnPart')).toEqual([
      [{ part: 'endpointing' }, 0.3],
      [{ part: 'llm_first_token' }, 0],
    ]);
  });

  it('measures the run of a tool by its outcome, if its start was seen', async () => {
    const { of, clock, emit } = setUp();
    emit('call.created', { call });
    const toolCall = (id: string): void =>
      emit('call.notice', { callId: call.id, notice: { type: 'tool-call', call: { id } } });
    const result = (callId: string, ok: boolean): void =>
      emit('call.notice', { callId: call.id, notice: { type: 'tool-result', callId, outcome: { ok } } });
    toolCall('a');
    toolCall('b');
    await clock.advance(1_500);
    result('a', true);
    await clock.advance(500);
    result('b', false);
    result('b', false);
    result('never started', true);
    expect(of('tools')).toEqual([
      [{ outcome: 'ok' }, 1.5],
      [{ outcome: 'error' }, 2],
    ]);
  });

  it('counts the packets of both ways, and no negative losses', () => {
    const { of, emit } = setUp();
    const media = {
      received: { packets: 100, packets_lost: -3, packets_dropped: 0, jitter_ms: 5 },
      sent: { packets: 90, packets_lost: null, jitter_ms: null },
      round_trip_ms: null,
    };
    emit('call.ended', { call: { ...call, media } });
    expect(of('packets')).toEqual([
      [{ direction: 'received' }, 100],
      [{ direction: 'sent' }, 90],
    ]);
    expect(of('packetsLost')).toEqual([[{ direction: 'received' }, 0]]);
    expect(of('jitter')).toEqual([[{ direction: 'received' }, 0.005]]);
  });

  it('counts prepared replies as used or dropped, and measures interruptions', () => {
    const { of, emit } = setUp();
    const latency = { interruptions_ms: [120, 80], prepared_replies: { made: 5, used: 3 } };
    emit('call.ended', { call: { ...call, latency } });
    emit('call.ended', { call: { ...call, latency: null } });
    expect(of('preparedReplies')).toEqual([
      [{ outcome: 'used' }, 3],
      [{ outcome: 'dropped' }, 2],
      [{ outcome: 'used' }, 0],
      [{ outcome: 'dropped' }, 0],
    ]);
    expect(of('interruption')).toEqual([[0.12], [0.08]]);
  });

  const items = [
    { provider: 'openai', kind: 'llm', quantity: 1_000, price: 0.02 },
    { provider: 'own', kind: 'tts', quantity: 50, price: null },
  ];

  it('counts the usage of a call and of its analysis, and the cost where there is a price', () => {
    const { of, emit } = setUp();
    emit('call.ended', { call: { ...call, cost_breakdown: items } });
    emit('call.analyzed', { call, usage: items.slice(0, 1) });
    expect(of('usage')).toEqual([
      [{ provider: 'openai', kind: 'llm' }, 1_000],
      [{ provider: 'own', kind: 'tts' }, 50],
      [{ provider: 'openai', kind: 'llm' }, 1_000],
    ]);
    const cost = [{ currency: 'EUR', provider: 'openai', kind: 'llm' }, 0.02];
    expect(of('cost')).toEqual([cost, cost]);
  });

  it('counts no cost without a currency', () => {
    const { of, emit } = setUp(null);
    emit('call.ended', { call: { ...call, cost_breakdown: items } });
    expect([of('cost'), of('usage').length]).toEqual([[], 2]);
  });

  it.each([
    ['call.refused', { telephony: 'sip' }, ['callsRefused', { telephony: 'sip' }]],
    [
      'provider.failed',
      { provider: 'openai', kind: 'llm', fault: 'timeout', callId: 'c' },
      ['providerFailures', { provider: 'openai', kind: 'llm', fault: 'timeout' }],
    ],
    [
      'webhook.attempt',
      { event: 'call.ended', outcome: { ok: true, latencyMs: 30 } },
      ['webhooks', { event: 'call.ended', outcome: 'ok' }, 0.03],
    ],
    [
      'webhook.attempt',
      { event: 'call.ended', outcome: { ok: false, reason: 'timeout', latencyMs: 5_000 } },
      ['webhooks', { event: 'call.ended', outcome: 'timeout' }, 5],
    ],
    [
      'call.notice',
      { callId: 'c', notice: { type: 'budget', scope: 'call', level: 'warning' } },
      ['budgets', { scope: 'call', level: 'warning' }],
    ],
  ] as const)('records %s with %j', (name, event, expected) => {
    const { recorded, emit } = setUp();
    emit(name, event);
    expect(recorded).toEqual([expected]);
  });

  it('records nothing after it was stopped', () => {
    const { recorded, emitter, stop, emit } = setUp();
    stop();
    expect(emitter.eventNames()).toEqual([]);
    emit('call.refused', { telephony: 'sip' });
    expect(recorded).toEqual([]);
  });
});
