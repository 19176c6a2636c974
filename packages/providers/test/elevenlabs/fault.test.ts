import { describe, expect, it } from 'vitest';
import { readFault } from '../../src/elevenlabs/fault.ts';
import { fittingKeyterms } from '../../src/elevenlabs/transcription/options.ts';

describe('readFault', () => {
  it.each([
    [{ error: 'invalid_api_key', message: 'no' }, 'auth', 'no', undefined],
    [{ error: 'quota_exceeded', contextId: 'a' }, 'quota', 'quota_exceeded', 'a'],
    [{ error: 'voice_not_found', context_id: 'a' }, 'invalid_request', 'voice_not_found', 'a'],
    [{ error: 'max_active_conversations', contextId: 'a' }, 'unavailable', 'max_active_conversations', undefined],
    [{ error: 'toString', message: 7, contextId: 7 }, 'unavailable', 'toString', undefined],
  ])('classifies %j as %s', (message, fault, text, contextId) => {
    expect(readFault(message)).toEqual({ fault, message: text, contextId });
  });

  it.each([{}, { error: null }, { error: { message: 'no' } }, { message: 'no' }])(
    'returns undefined for %j',
    (message) => {
      expect(readFault(message)).toBeUndefined();
    },
  );
});

it('fittingKeyterms keeps 50 terms of up to 20 characters and 5 words', () => {
  expect(fittingKeyterms(['', 'Trattoria Roma', 'x'.repeat(21), 'a b c d e f'])).toEqual(['Trattoria Roma']);
  expect(fittingKeyterms(Array(60).fill('a'))).toHaveLength(50);
});
