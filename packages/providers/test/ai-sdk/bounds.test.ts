import type { LlmEvent } from '@va/core/adapter';
import { type AiSdkModel, aiSdk, type StreamPart } from '@va/providers/ai-sdk';
import { describe, expect, it } from 'vitest';
import { collect, common } from '../options.ts';

type Part = StreamPart & Record<string, unknown>;

function modelOf(parts: Iterable<Part>): AiSdkModel {
  const stream = ReadableStream.from(parts) as ReadableStream<StreamPart>;
  return { specificationVersion: 'v3', provider: 'test', modelId: 'm', doStream: async () => ({ stream }) };
}

function stream(model: AiSdkModel): AsyncIterable<LlmEvent> {
  const config = { provider: 'ai-sdk', messages: [], tools: [] };
  return aiSdk(model).stream({ ...common(), config, messages: [{ role: 'user', content: 'Hello' }], tools: [] });
}

function* endless(part: Part): Generator<Part> {
  for (;;) yield part;
}

describe('aiSdk › bounds', () => {
  it.each([
    { type: 'text-delta', delta: 'x'.repeat(1_048_576) },
    { type: 'reasoning-delta', delta: 'x'.repeat(1_048_576) },
    { type: 'tool-call', toolCallId: 'a', toolName: 'b', input: 'x'.repeat(1_048_576) },
  ])('refuses a reply whose $type parts exceed 16 MiB', async (part) => {
    const reading = collect(stream(modelOf(endless(part))));
    await expect(reading).rejects.toMatchObject({ name: 'ProviderError', fault: 'protocol' });
  });

  it.each([
    ['8,192 bytes', 'x'.repeat(8_192 - '{"a":{"b":""}}'.length), true],
    ['more', 'x'.repeat(8_193 - '{"a":{"b":""}}'.length), false],
    ['more bytes in fewer characters', 'ü'.repeat(4_500), false],
  ])('accepts provider_options of at most 8,192 bytes: %s', (_, text, accepted) => {
    const { optionsSchema } = aiSdk(modelOf([]));
    expect(optionsSchema?.safeParse({ provider_options: { a: { b: text } } }).success).toBe(accepted);
  });

  it.each([
    [{ type: 'billing_error', message: 'Pay' }, 'quota'],
    [{ type: 'authentication_error', message: 'Key' }, 'auth'],
    [{ type: 'constructor', message: 'Odd' }, 'connection'],
    [{ statusCode: 429, message: 'Limit', data: { error: { code: 'insufficient_quota' } } }, 'quota'],
    ['text', 'connection'],
    [null, 'connection'],
  ])('classifies the streamed error %j', async (error, fault) => {
    const parts = [
      { type: 'text-delta', delta: 'Hello' },
      { type: 'error', error },
    ];
    await expect(collect(stream(modelOf(parts)))).rejects.toMatchObject({ name: 'ProviderError', fault });
  });
});
