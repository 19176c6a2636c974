import { ProviderError, RefusedTarget } from '@va/core/adapter';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { toProviderError } from '../../src/openai/fault.ts';
import { toOpenAiMessage } from '../../src/openai/messages.ts';
import { settingsFor, takesSampling } from '../../src/openai/options.ts';
import { promptOf } from '../../src/openai/transcription-prompt.ts';
import { toWav } from '../../src/openai/wav.ts';

describe('toOpenAiMessage', () => {
  it.each([
    [
      { role: 'user', content: 'Two.' },
      { role: 'user', content: 'Two.' },
    ],
    [
      { role: 'assistant', content: 'Yes.', toolCalls: [] },
      { role: 'assistant', content: 'Yes.' },
    ],
    [
      { role: 'tool', toolCallId: 'a', content: 'done' },
      { role: 'tool', tool_call_id: 'a', content: 'done' },
    ],
    [
      { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'book', arguments: '{}' }] },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'book', arguments: '{}' } }],
      },
    ],
  ] as const)('converts %j', (message, expected) => {
    expect(toOpenAiMessage(message)).toEqual(expected);
  });
});

describe('settingsFor', () => {
  it.each([
    ['gpt-4.1-mini', true, {}, {}],
    ['gpt-4.1-mini', true, { reasoning_effort: 'low' }, { reasoning_effort: 'low' }],
    ['gpt-5', false, {}, { reasoning_effort: 'minimal' }],
    ['gpt-5-mini-2025-08-07', true, {}, { reasoning_effort: 'minimal' }],
    ['gpt-5.1', true, {}, {}],
    ['gpt-5.1', true, { reasoning_effort: 'low' }, { reasoning_effort: 'low' }],
    ['gpt-5.4-mini', true, { reasoning_effort: 'low' }, {}],
    ['gpt-5.4-mini', false, { reasoning_effort: 'low' }, { reasoning_effort: 'low' }],
    ['gpt-5.5', true, { reasoning_effort: 'low' }, { reasoning_effort: 'none' }],
    ['gpt-5.5', false, {}, { reasoning_effort: 'none' }],
    ['gpt-5-chat-latest', true, {}, {}],
    ['gpt-5-codex', false, {}, {}],
    ['gpt-50', false, {}, {}],
  ] as const)('of %s with tools %s and %j are %j', (model, hasTools, settings, expected) => {
    expect(settingsFor(model, settings, hasTools)).toEqual(expected);
  });
});

it.each([
  ['gpt-4.1-mini', {}, true],
  ['gpt-5', {}, false],
  ['gpt-5.1', {}, true],
  ['gpt-5.1', { reasoning_effort: 'low' }, false],
  ['gpt-5.5', { reasoning_effort: 'none' }, true],
  ['o3-mini', {}, false],
  ['openai/o3', {}, true],
] as const)('takesSampling of %s with %j is %s', (model, settings, expected) => {
  expect(takesSampling(model, settings)).toBe(expected);
});

it.each([
  ['whisper-1', ['Roma', 'ossobuco'], { prompt: 'Roma, ossobuco' }],
  ['Systran/faster-whisper-small', ['Roma'], { prompt: 'Roma' }],
  ['gpt-4o-transcribe', ['Roma'], { prompt: 'The caller may say: Roma.' }],
  ['gpt-4o-transcribe-diarize', ['Roma'], {}],
  ['gpt-realtime-whisper', ['Roma'], {}],
  ['whisper-1', [], {}],
])('promptOf %s with %j is %j', (model, hints, expected) => {
  expect(promptOf(model, hints)).toEqual(expected);
});

describe('toWav', () => {
  it('has a header of 44 bytes with the sizes, the rate and the samples', () => {
    const file = toWav([new Uint8Array([1, 2]), new Uint8Array([3, 4, 5, 6])], 16_000);
    const view = new DataView(file.buffer);
    expect(file).toHaveLength(50);
    expect([view.getUint32(4, true), view.getUint32(40, true)]).toEqual([42, 6]);
    expect([view.getUint32(24, true), view.getUint32(28, true)]).toEqual([16_000, 32_000]);
    expect([...file.subarray(44)]).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('has no samples without chunks', () => {
    expect(toWav([], 8_000)).toHaveLength(44);
  });
});

describe('toProviderError', () => {
  const key = 'sk-secret';
  const read = (thrown: unknown) => toProviderError('mine', thrown, OpenAI, [key]);
  const headers = new Headers();
  const apiError = (status: number, error: object) => OpenAI.APIError.generate(status, { error }, undefined, headers);

  it.each([
    ['a rejected key', apiError(401, { message: 'no' }), 'auth', 401],
    ['a used quota', apiError(429, { message: 'no', code: 'insufficient_quota' }), 'quota', 429],
    ['a rate limit', apiError(429, { message: 'no', code: 'rate_limit_exceeded' }), 'unavailable', 429],
    ['an overload', apiError(503, {}), 'unavailable', 503],
    ['a timeout', new OpenAI.APIConnectionTimeoutError(), 'timeout', undefined],
    ['a lost connection', new OpenAI.APIConnectionError({ message: 'closed' }), 'connection', undefined],
    [
      'an error in the stream',
      new OpenAI.APIError(undefined, { message: 'no' }, 'no', headers),
      'unavailable',
      undefined,
    ],
    ['a chunk that is not JSON', new SyntaxError('Unexpected token'), 'protocol', undefined],
    ['another error', new TypeError('terminated'), 'connection', undefined],
    ['a value that is no error', 'text', 'connection', undefined],
  ])('classifies %s', (_, thrown, fault, status) => {
    expect(read(thrown)).toMatchObject({ provider: 'mine', fault, ...(status !== undefined && { status }) });
  });

  it('reports a refused address as an invalid request, whatever wraps it', () => {
    const refusal = new RefusedTarget('10.0.0.1 is not a target that this service may contact.');
    const fetchError = new TypeError('fetch failed', { cause: refusal });
    const wrapped = new OpenAI.APIConnectionError({ message: 'Connection error.', cause: fetchError });
    for (const thrown of [refusal, fetchError, wrapped]) {
      expect(read(thrown)).toMatchObject({ fault: 'invalid_request', message: expect.stringContaining('10.0.0.1') });
    }
  });

  it('has neither the key in its message nor an error with the key as its cause', () => {
    const inMessage = read(apiError(401, { message: `Incorrect API key: ${key}` }));
    expect(inMessage.message).toContain('Incorrect API key: [redacted]');
    expect(inMessage.cause).toBeUndefined();
    const inField = read(apiError(400, { message: 'Rejected', param: key }));
    expect(inField.cause).toBeUndefined();
    expect(read(apiError(400, { message: 'Rejected' })).cause).toBeInstanceOf(OpenAI.APIError);
  });

  it('limits the message', () => {
    expect(read(new TypeError('x'.repeat(2_000))).message.length).toBeLessThan(600);
  });

  it('returns an error of a provider as it is', () => {
    const error = new ProviderError('mine', 'quota', 'no');
    expect(read(error)).toBe(error);
  });
});
