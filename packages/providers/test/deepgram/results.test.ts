import { describe, expect, it } from 'vitest';
import { readErrorReport } from '../../src/deepgram/error-report.ts';
import { readResults } from '../../src/deepgram/results.ts';

const channel = { alternatives: [{ transcript: 'Good day', languages: ['nl', 'en'] }] };

describe('readResults', () => {
  it('reads a final result with its language', () => {
    const message = { type: 'Results', channel, is_final: true, speech_final: true, from_finalize: false };
    expect(readResults(message)).toEqual({
      transcript: 'Good day',
      language: 'nl',
      isFinal: true,
      fromFinalize: false,
      speechFinal: true,
    });
  });

  it.each([
    ['missing flags', {}],
    ['flags as texts', { is_final: 'true', speech_final: 1, from_finalize: null }],
  ])('takes %s as false', (_, flags) => {
    expect(readResults({ type: 'Results', channel, ...flags })).toMatchObject({
      isFinal: false,
      fromFinalize: false,
      speechFinal: false,
    });
  });

  it.each([undefined, [], [''], [7], 'nl'])('has no language for the languages %j', (languages) => {
    const message = { type: 'Results', channel: { alternatives: [{ transcript: '', languages }] } };
    expect(readResults(message)?.language).toBeUndefined();
  });

  it.each([
    undefined,
    null,
    'Results',
    [],
    { type: 'Metadata' },
    { type: 'Results' },
    { type: 'Results', channel: [] },
    { type: 'Results', channel: { alternatives: {} } },
    { type: 'Results', channel: { alternatives: [] } },
    { type: 'Results', channel: { alternatives: [{ transcript: 7 }] } },
  ])('returns undefined for %j', (message) => {
    expect(readResults(message)).toBeUndefined();
  });
});

describe('readErrorReport', () => {
  it.each([
    [
      { type: 'Error', code: 'X', description: 'key is invalid' },
      { type: 'Error', code: 'X', description: '[redacted] is invalid' },
    ],
    [
      { type: 'Error', err_code: 'Y', err_msg: 'no' },
      { type: 'Error', code: 'Y', description: 'no' },
    ],
    [
      { type: 'ConfigureFailure', message: '' },
      { type: 'ConfigureFailure', code: undefined, description: undefined },
    ],
    [
      { type: 'Error', code: 7, description: { key: 'key' } },
      { type: 'Error', code: undefined, description: undefined },
    ],
  ])('reads %j without the key', (message, expected) => {
    expect(readErrorReport(message, 'key')).toEqual(expected);
  });

  it.each([undefined, 'Error', { type: 'Results' }, { description: 'no' }])('returns undefined for %j', (message) => {
    expect(readErrorReport(message, 'key')).toBeUndefined();
  });
});
