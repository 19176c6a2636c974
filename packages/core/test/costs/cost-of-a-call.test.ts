import { type CostItem, endOfCallReportMessageSchema, type Price } from '@va/core';
import { type ScriptedReply, saying, scriptedLlm, scriptedRealtime, scriptedStt } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { ProviderError } from '../../src/errors.ts';
import type { PhoneCall, PhoneCallOptions } from '../support/phone-call.ts';
import { phoneCalls } from '../support/phone-calls.ts';

const { ring } = phoneCalls();
const prices: readonly Price[] = [
  { provider: 'scripted', kind: 'input_tokens', price: 2, per: 'million_tokens' },
  { provider: 'scripted', kind: 'output_tokens', price: 8, per: 'million_tokens' },
  { provider: 'scripted', kind: 'stt_seconds', price: 0.6, per: 'minute' },
  { provider: 'scripted', kind: 'tts_characters', price: 0.1, per: 'thousand_characters' },
];
const service = { currency: 'EUR', prices };
const counted: ScriptedReply = [
  ...saying('It is open.'),
  { type: 'usage', usage: { inputTokens: 1_000, outputTokens: 100 } },
];

/** A call with one question of the caller. */
async function asked(options: PhoneCallOptions): Promise<PhoneCall> {
  const call = await ring({ stt: scriptedStt({ turns: ['is it open'] }), service, ...options });
  await call.speak(400);
  await call.quiet(3_000);
  call.incoming.leave();
  await call.quiet(100);
  return call;
}

function itemsOf(call: PhoneCall, kind: CostItem['kind']): readonly CostItem[] {
  return (call.ended?.cost_breakdown ?? []).filter((item) => item.kind === kind);
}

describe('the cost of a call', () => {
  it('is the sum of what its providers used, priced by the list of the host', async () => {
    const call = await asked({ llm: scriptedLlm([counted]) });
    const common = { provider: 'scripted', model: null, is_estimate: false, own_key: false };
    expect(itemsOf(call, 'input_tokens')).toEqual([
      { ...common, kind: 'input_tokens', quantity: 1_000, unit: 'token', price: 0.002 },
    ]);
    expect(itemsOf(call, 'output_tokens')).toMatchObject([{ quantity: 100, price: 0.0008 }]);
    expect(itemsOf(call, 'tts_characters')).toMatchObject([{ quantity: 11, price: 0.0011 }]);
    // 50 ms per letter, without a price.
    expect(itemsOf(call, 'tts_seconds')).toMatchObject([{ quantity: 0.55, price: null }]);
    const [heard] = itemsOf(call, 'stt_seconds');
    expect(heard?.quantity).toBeCloseTo(3.4, 1);
    expect(itemsOf(call, 'call_minutes')).toMatchObject([{ provider: 'telephony', price: null }]);
    expect(call.ended?.cost).toBeCloseTo(0.0039 + (heard?.price ?? 0), 6);
  });

  it('is stored with the call and its usage, and reported', async () => {
    const call = await asked({ llm: scriptedLlm([counted]), agent: { analysis_plan: { minMessagesThreshold: 100 } } });
    const stored = await call.stored();
    const { logs, summary } = await call.va.operations.usage.list(call.orgId);
    expect(logs[0]).toMatchObject({ cost: stored.cost, cost_breakdown: stored.cost_breakdown, currency: 'EUR' });
    expect(summary.total_cost).toBe(stored.cost);
    expect(summary.breakdown).toHaveLength(stored.cost_breakdown.length);
    expect(summary.breakdown).toEqual(
      expect.arrayContaining(stored.cost_breakdown.map(({ is_estimate: _, ...item }) => item)),
    );
    const report = call.webhooks.messages.find(({ event }) => event === 'end-of-call-report')?.message;
    const { cost, costBreakdown } = endOfCallReportMessageSchema
      .pick({ cost: true, costBreakdown: true })
      .parse(report);
    expect(cost).toBe(stored.cost);
    expect(costBreakdown).toHaveLength(stored.cost_breakdown.length);
    expect(costBreakdown[0]).toHaveProperty('isEstimate', false);
  });

  it('includes the price per minute', async () => {
    const call = await asked({ llm: scriptedLlm([counted]), service: { pricing: { currency: 'EUR', perMinute: 60 } } });
    const { duration_seconds: seconds, cost } = call.ended ?? {};
    expect(itemsOf(call, 'call_minutes')).toMatchObject([{ price: seconds }]);
    expect(cost).toBe(seconds);
  });

  it('is null without prices, and the quantities are recorded', async () => {
    const call = await asked({ llm: scriptedLlm([counted]), service: {} });
    expect(call.ended?.cost).toBeNull();
    expect(itemsOf(call, 'input_tokens')).toMatchObject([{ quantity: 1_000, price: null }]);
  });

  it('includes an estimate of a reply that was cancelled', async () => {
    const call = await ring({
      stt: scriptedStt({ turns: ['is it open'] }),
      llm: scriptedLlm([[...saying('It is open until. '), 60_000]]),
      service,
    });
    await call.speak(400);
    await call.quiet(1_000);
    call.incoming.leave();
    await call.quiet(100);
    expect(itemsOf(call, 'input_tokens')[0]).toMatchObject({ is_estimate: true });
    expect(itemsOf(call, 'output_tokens')[0]).toMatchObject({ is_estimate: true, quantity: 5 });
  });

  it('does not include a request that failed before its first output', async () => {
    const lost = new ProviderError('scripted', 'unavailable', 'it is lost');
    const call = await asked({ llm: scriptedLlm([[lost]]) });
    expect(itemsOf(call, 'input_tokens')).toEqual([]);
  });

  it('includes the model whose reply a fallback replaced', async () => {
    const slow = scriptedLlm([[60_000]]);
    const fallback = scriptedLlm([counted], { id: 'backup' });
    const call = await ring({
      stt: scriptedStt({ turns: ['is it open'] }),
      llm: slow,
      extraProviders: [fallback],
      agent: { llm_config: { provider: 'scripted', fallbacks: [{ provider: 'backup' }] } },
      service,
    });
    await call.speak(400);
    await call.quiet(8_000);
    call.incoming.leave();
    await call.quiet(100);
    expect(itemsOf(call, 'input_tokens').map(({ provider, is_estimate }) => [provider, is_estimate])).toEqual([
      ['scripted', true],
      ['backup', false],
    ]);
  });

  it('includes the analysis after the call', async () => {
    const call = await asked({ llm: scriptedLlm([counted]) });
    await call.quiet(2_000);
    const stored = await call.stored();
    expect(stored.analysis_status).toBe('completed');
    const read = stored.cost_breakdown.find(({ kind }) => kind === 'input_tokens');
    expect(read).toMatchObject({ quantity: 2_000, price: 0.004 });
    const { logs } = await call.va.operations.usage.list(call.orgId);
    expect(logs[0]).toMatchObject({ cost: stored.cost, cost_breakdown: stored.cost_breakdown });
  });

  it('includes the tokens of a speech-to-speech model, and the time of its session', async () => {
    const usage = { inputTokens: 50, inputAudioTokens: 40, outputTokens: 30, outputAudioTokens: 25 };
    const call = await ring({
      realtime: scriptedRealtime({ responses: [[...saying('It is.'), { type: 'usage', usage }]] }),
      agent: { llm_config: { provider: 'scripted_realtime', model: 'voice-1' } },
      service,
    });
    await call.speak(400);
    await call.quiet(2_000);
    call.incoming.leave();
    await call.quiet(100);
    expect(itemsOf(call, 'input_audio_tokens')).toMatchObject([{ quantity: 40, model: 'voice-1' }]);
    expect(itemsOf(call, 'output_audio_tokens')).toMatchObject([{ quantity: 25 }]);
    expect(itemsOf(call, 'session_seconds')[0]?.quantity).toBeGreaterThan(2);
  });
});
