import { describe, expect, it } from 'vitest';
import { socketUrl } from '../../src/shared/options/query.ts';

describe('socketUrl', () => {
  it.each([
    ['wss://host', 'wss://host/v1/speak'],
    ['https://host', 'wss://host/v1/speak'],
    ['http://host:8080', 'ws://host:8080/v1/speak'],
    ['wss://host/', 'wss://host/v1/speak'],
  ])('makes a WebSocket URL of %s', (baseUrl, expected) => {
    expect(socketUrl(baseUrl, '/v1/speak')).toBe(expected);
  });

  it('repeats a parameter for each value of a list, and leaves undefined out', () => {
    const url = new URL(
      socketUrl('wss://host', '/', { tag: ['a b', 'c&d'], none: [], mode: undefined, rate: 8_000, on: true }),
    );
    expect([...url.searchParams]).toEqual([
      ['tag', 'a b'],
      ['tag', 'c&d'],
      ['rate', '8000'],
      ['on', 'true'],
    ]);
  });

  it('prefers later queries, also to leave a parameter out', () => {
    const url = new URL(socketUrl('wss://host', '/', { model: 'a', extra: 1 }, { model: 'b', extra: undefined }));
    expect([...url.searchParams]).toEqual([['model', 'b']]);
  });
});
