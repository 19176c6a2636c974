import { describe, expect, it } from 'vitest';
import { mayRead } from '../../src/metrics/access.ts';
import { LiveCallsSeen } from '../../src/metrics/live-calls-seen.ts';
import { requestOf } from '../support/request.ts';

const source = { contentType: 'text/plain', read: async () => '' };

describe('mayRead', () => {
  it.each([
    ['Bearer secret', true],
    ['bearer   secret  ', true],
    ['Bearer secret2', false],
    ['Bearer', false],
    ['Basic secret', false],
    ['Bearer secret more', false],
  ])('with the header %j is %j', async (authorization, expected) => {
    const request = requestOf({ headers: { authorization } });
    expect(await mayRead({ source, bearerToken: 'secret' }, request)).toBe(expected);
  });

  it('is false without a header', async () => {
    expect(await mayRead({ source, bearerToken: 'secret' }, requestOf({}))).toBe(false);
  });

  it('returns what the host decides, or rejects with its error', async () => {
    const request = requestOf({ headers: { cookie: 'admin' } });
    const authorize = (given: Request): boolean => given.headers.get('cookie') === 'admin';
    expect(await mayRead({ source, authorize }, request)).toBe(true);
    expect(await mayRead({ source, authorize }, requestOf({}))).toBe(false);
    const failing = mayRead({ source, authorize: () => Promise.reject(new Error('no session')) }, request);
    await expect(failing).rejects.toThrow('no session');
  });
});

describe('LiveCallsSeen', () => {
  it('counts calls by direction until they end', () => {
    const live = new LiveCallsSeen();
    for (const id of ['a', 'b']) live.add(id, 'inbound');
    live.add('c', 'outbound');
    expect([live.delete('a'), live.delete('a'), live.delete('unknown')]).toEqual([true, false, false]);
    expect([live.count('inbound'), live.count('outbound'), live.count('web')]).toEqual([1, 1, 0]);
  });

  it('measures tools whose start it saw, once', () => {
    const live = new LiveCallsSeen();
    live.add('a', 'inbound');
    live.toolCalled('a', 'tool', 1_000);
    expect(live.toolSettled('a', 'tool', 1_250)).toBe(250);
    expect(live.toolSettled('a', 'tool', 1_500)).toBeNull();
    expect(live.toolSettled('a', 'other', 1_500)).toBeNull();
    live.toolCalled('unknown', 'tool', 0);
    expect(live.toolSettled('unknown', 'tool', 1)).toBeNull();
  });
});
