import type { ChatMessage } from '@va/core/adapter';
import { describe, expect, it } from 'vitest';
import { toProviderError } from '../../src/ai-sdk/fault.ts';
import { toPrompt } from '../../src/ai-sdk/prompt.ts';
import { usageOf } from '../../src/ai-sdk/usage.ts';

const rolesOf = (...messages: ChatMessage[]) => toPrompt(messages).map(({ role }) => role);
const call = { id: 'a', name: 'book', arguments: '{"n":2}' };

describe('toPrompt', () => {
  it('begins and ends the turns with the user', () => {
    expect(rolesOf()).toEqual(['user']);
    expect(rolesOf({ role: 'system', content: 'Be brief.' })).toEqual(['system', 'user']);
    expect(rolesOf({ role: 'assistant', content: 'Good day.' })).toEqual(['user', 'assistant', 'user']);
    expect(rolesOf({ role: 'user', content: 'Two.' })).toEqual(['user']);
  });

  it('ends with the result of a tool', () => {
    const roles = rolesOf(
      { role: 'user', content: 'Two.' },
      { role: 'assistant', content: '', toolCalls: [call] },
      { role: 'tool', toolCallId: 'a', content: 'done' },
    );
    expect(roles).toEqual(['user', 'assistant', 'tool']);
  });

  it('passes instructions between the turns as messages of the user', () => {
    const prompt = toPrompt([
      { role: 'user', content: 'Two.' },
      { role: 'system', content: 'Be quick.' },
    ]);
    expect(prompt.at(-1)).toEqual({ role: 'user', content: [{ type: 'text', text: '(Instruction: Be quick.)' }] });
  });

  it('leaves out assistant messages with neither text nor calls', () => {
    expect(rolesOf({ role: 'user', content: 'Two.' }, { role: 'assistant', content: '' })).toEqual(['user']);
  });

  it('names the tool of a result, and passes arguments as an object', () => {
    const prompt = toPrompt([
      { role: 'user', content: 'Two.' },
      { role: 'assistant', content: '', toolCalls: [call, { id: 'b', name: 'list', arguments: 'no JSON' }] },
      { role: 'tool', toolCallId: 'a', content: 'done' },
      { role: 'tool', toolCallId: 'unknown', content: 'done' },
    ]);
    expect(prompt[1]).toMatchObject({
      content: [
        { type: 'tool-call', toolCallId: 'a', toolName: 'book', input: { n: 2 } },
        { type: 'tool-call', toolCallId: 'b', toolName: 'list', input: {} },
      ],
    });
    expect(prompt[2]).toMatchObject({ content: [{ toolName: 'book', output: { type: 'text', value: 'done' } }] });
    expect(prompt[3]).toMatchObject({ content: [{ toolName: 'unknown' }] });
  });
});

describe('usageOf', () => {
  it.each([
    ['version 2', { inputTokens: 10, outputTokens: 5, cachedInputTokens: 4 }, 'openai', [10, 5, 4]],
    [
      'Anthropic in version 2',
      { inputTokens: 10, outputTokens: 5, cachedInputTokens: 4 },
      'anthropic.messages',
      [14, 5, 4],
    ],
    [
      'version 3',
      { inputTokens: { total: 10, cacheRead: 4 }, outputTokens: { total: 5 } },
      'anthropic.messages',
      [10, 5, 4],
    ],
    ['no cache', { inputTokens: 0, outputTokens: 0 }, 'openai', [0, 0, undefined]],
  ])('reads the counts of %s', (_, usage, provider, [inputTokens, outputTokens, cachedInputTokens]) => {
    expect(usageOf(usage, provider)).toEqual({
      inputTokens,
      outputTokens,
      ...(cachedInputTokens !== undefined && { cachedInputTokens }),
    });
  });

  it.each([
    undefined,
    null,
    {},
    { inputTokens: 1 },
    { inputTokens: '1', outputTokens: 1 },
    { inputTokens: -1, outputTokens: 1 },
  ])('returns null for %j', (usage) => {
    expect(usageOf(usage, 'openai')).toBeNull();
  });
});

describe('toProviderError', () => {
  const named = (name: string, fields: object = {}) => Object.assign(new Error('no'), { name, ...fields });

  it.each<[string, unknown, string]>([
    ['a status', named('AI_APICallError', { statusCode: 401 }), 'auth'],
    [
      'a status that the type makes precise',
      named('AI_APICallError', { statusCode: 429, data: { error: { code: 'insufficient_quota' } } }),
      'quota',
    ],
    ['a streamed error', { type: 'overloaded_error', message: 'busy' }, 'unavailable'],
    ['a body that was interrupted', named('AI_APICallError', { statusCode: 200 }), 'connection'],
    ['a network error', named('AI_APICallError', { isRetryable: true }), 'connection'],
    ['a missing key', named('AI_LoadAPIKeyError'), 'auth'],
    ['a malformed response', named('AI_TypeValidationError'), 'protocol'],
    ['a refused request', named('AI_UnsupportedFunctionalityError'), 'invalid_request'],
    ['another error', new TypeError('terminated'), 'connection'],
    ['a text', 'no', 'connection'],
    ['undefined', undefined, 'connection'],
    ['a type with a name of JavaScript', { type: 'constructor', message: 'no' }, 'connection'],
  ])('classifies %s', (_, thrown, fault) => {
    expect(toProviderError('mine', thrown)).toMatchObject({ provider: 'mine', fault });
  });

  it('removes the key, and limits the message', () => {
    const { message } = toProviderError('mine', new Error(`invalid key sk-1 ${'x'.repeat(1_000)}`), 'sk-1');
    expect(message).toContain('invalid key [redacted]');
    expect(message.length).toBeLessThan(600);
  });
});
