import { describe, expect, it } from 'vitest';
import { errorText } from '../../src/shared/faults/error-text.ts';

const refused = (address: string) => new Error(`connect ECONNREFUSED ${address}:443`);

describe('errorText', () => {
  it.each<[string, Error, string]>([
    ['an error', new Error('closed', { cause: new Error('inner') }), 'closed'],
    ['an error without a message', new TypeError(''), 'TypeError'],
    [
      'a failed fetch',
      new TypeError('fetch failed', { cause: refused('10.0.0.1') }),
      'connect ECONNREFUSED 10.0.0.1:443',
    ],
    ['a failed fetch without a cause', new TypeError('fetch failed'), 'fetch failed'],
    [
      'a connection to several addresses',
      new AggregateError([refused('10.0.0.1'), refused('10.0.0.2')]),
      'connect ECONNREFUSED 10.0.0.1:443; connect ECONNREFUSED 10.0.0.2:443',
    ],
    [
      'a failed fetch from several addresses',
      new TypeError('fetch failed', { cause: new AggregateError([refused('10.0.0.1'), refused('10.0.0.1')]) }),
      'connect ECONNREFUSED 10.0.0.1:443',
    ],
    ['an aggregate without errors', new AggregateError([]), 'AggregateError'],
  ])('returns the reason of %s', (_, error, expected) => {
    expect(errorText(error)).toBe(expected);
  });
});
