import { describe, expect, it } from 'vitest';
import { causeWithoutKey, withoutKey } from '../../src/shared/faults/without-key.ts';

describe('withoutKey', () => {
  it.each([
    ['no key', ['sk-1'], 'no key'],
    ['sk-1 and sk-1', ['sk-1'], '[redacted] and [redacted]'],
    ['sk-1 and sk-2', ['sk-1', 'sk-2'], '[redacted] and [redacted]'],
    ['a.b matches no pattern: a+b', ['a+b'], 'a.b matches no pattern: [redacted]'],
    ['nothing', [''], 'nothing'],
    ['nothing', [], 'nothing'],
  ])('removes the keys from %j: %j', (text, keys, expected) => {
    expect(withoutKey(text, ...keys)).toBe(expected);
  });
});

describe('causeWithoutKey', () => {
  const nested = Object.assign(new Error('Rejected'), { error: { details: [{ param: 'sk-1' }] } });

  it.each([
    ['its message contains the key', new Error('invalid key sk-1')],
    ['a nested field contains the key', nested],
    ['its own cause contains the key', new Error('Rejected', { cause: new Error('sk-1') })],
    ['a header contains the key', Object.assign(new Error('Rejected'), { headers: new Headers({ echo: 'sk-1' }) })],
  ])('drops the error when %s', (_, error) => {
    expect(causeWithoutKey(error, 'sk-1')).toBeUndefined();
  });

  it('keeps any other error', () => {
    const error = new Error('Rejected');
    expect(causeWithoutKey(error, 'sk-1', '')).toBe(error);
  });
});
