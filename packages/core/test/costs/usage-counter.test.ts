import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { budgetFaults } from '../../src/costs/budget-faults.ts';
import { charactersOf, estimateMessageTokens, estimateTokens } from '../../src/costs/estimate-tokens.ts';
import { minutesItems, minutesOf } from '../../src/costs/pricing.ts';
import { quantitiesOf } from '../../src/costs/token-usage.ts';
import { UsageCounter } from '../../src/costs/usage-counter.ts';
import type { UsageKind } from '../../src/domain/costs/usage-kind.ts';
import type { ModelUsage } from '../../src/ports/providers/model-usage.ts';

const source = { provider: 'openai', model: 'mini', ownKey: true };

function counterOf(kind: UsageKind, unitPrice: number | null, clock = new VirtualClock()): UsageCounter {
  return new UsageCounter(source, kind, unitPrice, clock);
}

describe('UsageCounter', () => {
  it('counts tokens in tokens, and amounts of time in seconds', () => {
    const [tokens, seconds] = [counterOf('input_tokens', 0.002), counterOf('stt_seconds', 0.01)];
    tokens.amount += 1_500;
    seconds.amount += 1_500;
    expect([tokens.quantity, tokens.price]).toEqual([1_500, 3]);
    expect([seconds.quantity, seconds.price]).toEqual([1.5, 0.015]);
  });

  it('counts the running time up to now', async () => {
    const clock = new VirtualClock();
    const counter = counterOf('session_seconds', null, clock);
    counter.start();
    await clock.advance(1_200);
    expect(counter.quantity).toBe(1.2);
    counter.start();
    await clock.advance(300);
    counter.stop();
    await clock.advance(10_000);
    counter.stop();
    expect(counter.quantity).toBe(1.5);
    counter.start();
    await clock.advance(500);
    expect(counter.quantity).toBe(2);
  });

  it('rounds to a millionth', () => {
    const counter = counterOf('stt_seconds', 1 / 3);
    counter.amount = 1_000 / 3;
    expect([counter.quantity, counter.price]).toEqual([0.333333, 0.111111]);
  });

  it('becomes an item of the breakdown, without a price if there is none', () => {
    const counter = counterOf('tts_characters', null);
    counter.amount = 12;
    counter.isEstimate = true;
    expect(counter.toItem()).toEqual({
      provider: 'openai',
      model: 'mini',
      kind: 'tts_characters',
      quantity: 12,
      unit: 'character',
      price: null,
      is_estimate: true,
      own_key: true,
    });
  });
});

describe('quantitiesOf', () => {
  const quantities = (usage: Partial<ModelUsage>): Record<string, number> =>
    Object.fromEntries(
      quantitiesOf({ inputTokens: 0, outputTokens: 0, ...usage }).filter(([, quantity]) => quantity !== 0),
    );

  it.each<[string, Partial<ModelUsage>, Record<string, number>]>([
    ['nothing', {}, {}],
    ['text', { inputTokens: 10, outputTokens: 4 }, { input_tokens: 10, output_tokens: 4 }],
    ['seconds of audio', { inputAudioSeconds: 2.5 }, { stt_seconds: 2.5 }],
    ['more cached tokens than tokens', { inputTokens: 10, cachedInputTokens: 50 }, { cached_input_tokens: 10 }],
    [
      'cached audio beyond the cached tokens',
      { inputTokens: 10, inputAudioTokens: 10, cachedInputTokens: 3, cachedInputAudioTokens: 8 },
      { input_audio_tokens: 7, cached_input_audio_tokens: 3 },
    ],
    [
      'cached tokens that can be text only in part',
      { inputTokens: 10, inputAudioTokens: 8, cachedInputTokens: 6 },
      { cached_input_tokens: 2, input_audio_tokens: 8 },
    ],
    ['more audio than output', { outputTokens: 3, outputAudioTokens: 9 }, { output_audio_tokens: 3 }],
    ['a count at the maximum', { inputTokens: 1e9 }, { input_tokens: 1e9 }],
    ['a count beyond the maximum', { inputTokens: 1e9 + 1, outputTokens: 1 }, { output_tokens: 1 }],
  ])('splits %s', (_case, usage, expected) => {
    expect(quantities(usage)).toEqual(expected);
  });
});

describe('the minutes of a call', () => {
  const answered_at = '2026-01-01T09:00:00.000Z';

  it.each([
    [0, 0],
    [1, 0.0167],
    [30, 0.5],
    [61, 1.0167],
  ])('are for %i s: %d', (seconds, minutes) => {
    expect(minutesOf(seconds)).toBe(minutes);
  });

  it('are priced by the second', () => {
    const [item] = minutesItems({ answered_at, duration_seconds: 90 }, { currency: 'EUR', perMinute: 0.1 });
    expect(item).toMatchObject({ provider: 'telephony', kind: 'call_minutes', quantity: 1.5, price: 0.15 });
  });

  it('have no price without pricing', () => {
    expect(minutesItems({ answered_at, duration_seconds: 90 }, null)).toMatchObject([{ quantity: 1.5, price: null }]);
  });

  it('are 0 before the duration is known', () => {
    const pricing = { currency: 'EUR', perMinute: 0.1 };
    expect(minutesItems({ answered_at, duration_seconds: null }, pricing)).toMatchObject([{ quantity: 0, price: 0 }]);
  });

  it('have no item for an unanswered call', () => {
    expect(minutesItems({ answered_at: null, duration_seconds: 20 }, { currency: 'EUR', perMinute: 1 })).toEqual([]);
  });
});

describe('estimated tokens', () => {
  it.each([
    ['', 0],
    ['a', 1],
    ['abcd', 1],
    ['abcde', 2],
  ])('of %j are %i', (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });

  it('of a message include its tool calls', () => {
    const toolCalls = [{ id: '1', name: 'book', arguments: '{"a":1}' }];
    expect(estimateMessageTokens({ role: 'user', content: 'abcd' })).toBe(5);
    expect(estimateMessageTokens({ role: 'assistant', content: 'abcd', toolCalls })).toBe(8);
    expect(estimateMessageTokens({ role: 'tool', toolCallId: '1', content: '' })).toBe(4);
  });

  it('fit into the characters that they allow', () => {
    for (const tokens of [0, 1, 7, 100]) expect(estimateTokens('x'.repeat(charactersOf(tokens)))).toBe(tokens);
  });
});

describe('budgetFaults', () => {
  it.each([
    ['no budget', null, null],
    ['a budget that is not written', undefined, undefined],
    ['a budget with prices', { max_cost: 1 }, 'EUR'],
  ])('accepts %s', (_case, given, currency) => {
    expect(budgetFaults('budget', given, currency)).toEqual([]);
  });

  it.each([
    ['a budget', { max_cost: 1 }, null],
    ['a credit of 0', 0, undefined],
  ])('refuses %s without prices', (_case, given, currency) => {
    expect(budgetFaults('budget', given, currency)).toMatchObject([{ path: 'budget', code: 'invalid_field' }]);
  });
});
