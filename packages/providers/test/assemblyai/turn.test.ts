import { describe, expect, it } from 'vitest';
import { readFault } from '../../src/assemblyai/fault.ts';
import { fittingKeyterms } from '../../src/assemblyai/options.ts';
import { readTurn } from '../../src/assemblyai/turn.ts';

const message = { type: 'Turn', turn_order: 0, transcript: 'a table', end_of_turn: false };

describe('readTurn', () => {
  it('has the words that are not final yet while the turn goes on', () => {
    const words = [{ text: 'a' }, { text: 'table' }, { text: 'for' }, { text: 7 }, null];
    expect(readTurn({ ...message, words })).toMatchObject({ text: 'a table for', isEnd: false });
  });

  it('prefers the transcript at the end of the turn, and when the words are shorter', () => {
    const words = [{ text: 'A' }, { text: 'table' }, { text: 'for' }, { text: 'two' }];
    expect(readTurn({ ...message, words, transcript: 'A table.', end_of_turn: true })?.text).toBe('A table.');
    expect(readTurn({ ...message, words: [{ text: 'a' }] })?.text).toBe('a table');
    expect(readTurn({ ...message, words: 'a' })?.text).toBe('a table');
  });

  it.each([
    ['nl', 'nl'],
    ['', undefined],
    [7, undefined],
    [undefined, undefined],
  ])('reads the language %j as %s', (language_code, expected) => {
    expect(readTurn({ ...message, language_code })?.language).toBe(expected);
  });

  it.each([{}, { ...message, type: 'Begin' }, { ...message, turn_order: '0' }, { ...message, transcript: null }])(
    'returns undefined for %j',
    (other) => {
      expect(readTurn(other)).toBeUndefined();
    },
  );
});

describe('readFault', () => {
  it.each([
    [{ type: 'Error', error_code: 4001, error: 'Not authorized' }, 'auth', 'Not authorized'],
    [{ error_code: 4002, error: 'Insufficient funds' }, 'quota', 'Insufficient funds'],
    [{ type: 'Error', error_code: 3006, error: 'Invalid' }, 'invalid_request', 'Invalid'],
    [{ type: 'Error', error_code: 3009, error: 'Too many' }, 'unavailable', 'Too many'],
    [{ type: 'Error', error_code: '4001' }, 'unavailable', 'an error without a message'],
    [{ error: 'Unknown' }, 'unavailable', 'Unknown'],
  ])('classifies %j as %s', (message, fault, text) => {
    expect(readFault(message)).toEqual({ fault, message: text });
  });

  it.each([{}, { type: 'Turn' }, { error: null }, { error_code: 4001 }])('returns undefined for %j', (message) => {
    expect(readFault(message)).toBeUndefined();
  });
});

describe('fittingKeyterms', () => {
  it('keeps 100 terms of up to 50 characters', () => {
    expect(fittingKeyterms(['', 'x'.repeat(50), 'x'.repeat(51)])).toEqual(['x'.repeat(50)]);
    expect(fittingKeyterms(Array(120).fill('a'))).toHaveLength(100);
  });
});
