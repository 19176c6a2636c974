import { type Principal, RequestError } from '@va/core';
import type { HandlerHost } from '@va/core/adapter';
import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { OpenStreams, type StreamLimits } from '../../src/limits/open-streams.ts';

const unlimited: StreamLimits = { perKey: 0, perOrganization: 0 };
const caller = (changes: Partial<Principal> = {}): Principal => ({
  ...{ orgId: 'acme', scopes: ['calls:read'], keyId: 'one' },
  ...changes,
});

function setUp(limits: StreamLimits = unlimited) {
  const clock = new VirtualClock();
  /** The caller at the next check, or the error that it ends with. */
  const check: { result: Principal | Error; count: number } = { result: caller(), count: 0 };
  let revoke: (keyId: string) => void = () => {};
  let isSubscribed = true;
  const host = {
    clock,
    async authenticate() {
      check.count += 1;
      if (check.result instanceof Error) throw check.result;
      return check.result;
    },
    operations: {
      apiKeys: {
        onRevoked(listener: (keyId: string) => void) {
          revoke = listener;
          return () => {
            isSubscribed = false;
          };
        },
      },
    },
  };
  const streams = new OpenStreams(host as unknown as HandlerHost, limits);
  const open = (principal = caller()) => {
    const credentials = { authorization: 'Bearer x', toRequest: () => new Request('http://x/') };
    const stream = streams.admit(principal, credentials, 'calls:read');
    const ended: true[] = [];
    stream.watch(() => {
      ended.push(true);
      stream.close();
    });
    return { stream, ended };
  };
  return { clock, check, streams, open, revoke: (keyId: string) => revoke(keyId), isSubscribed: () => isSubscribed };
}
const tooMany = expect.objectContaining({ status: 429, code: 'too_many_streams', headers: { 'retry-after': '15' } });

describe('OpenStreams', () => {
  it('limits the streams of a key', () => {
    const { open } = setUp({ perKey: 2, perOrganization: 0 });
    const first = open();
    open();
    expect(() => open()).toThrow(tooMany);
    open(caller({ keyId: 'two' }));
    first.stream.close();
    open();
  });

  it('limits the streams of an organization over all keys', () => {
    const { open } = setUp({ perKey: 0, perOrganization: 2 });
    open(caller({ keyId: 'one' }));
    open(caller({ keyId: 'two' }));
    expect(() => open(caller({ keyId: 'three' }))).toThrow(tooMany);
    open(caller({ orgId: 'other', keyId: 'three' }));
  });

  it('limits the users of a host without keys', () => {
    const { open } = setUp({ perKey: 1, perOrganization: 0 });
    open(caller({ keyId: null, subject: 'ann' }));
    open(caller({ keyId: null, subject: 'bob' }));
    expect(() => open(caller({ keyId: null, subject: 'ann' }))).toThrow(tooMany);
  });

  it('checks the key of each stream every 15 s, until the stream is closed', async () => {
    const { clock, check, open } = setUp();
    const { stream, ended } = open();
    await clock.advance(45_000);
    expect([check.count, ended]).toEqual([3, []]);
    stream.close();
    await clock.advance(60_000);
    expect(check.count).toBe(3);
  });

  it.each<[string, Principal | Error]>([
    ['is unknown', new RequestError(401, 'unauthorized', 'No.')],
    ['is forbidden', new RequestError(403, 'forbidden', 'No.')],
    ['has lost the scope', caller({ scopes: ['agents:read'] })],
    ['belongs to another organization', caller({ orgId: 'other' })],
  ])('ends a stream whose key %s', async (_name, result) => {
    const { clock, check, open } = setUp();
    const { ended } = open();
    check.result = result;
    await clock.advance(15_000);
    expect(ended).toEqual([true]);
    await clock.advance(60_000);
    expect(check.count).toBe(1);
  });

  it.each<[string, Error]>([
    ['is unreachable', new Error('offline')],
    ['is busy', new RequestError(503, 'unavailable', 'Later.')],
  ])('ends no stream while the storage %s', async (_name, error) => {
    const { clock, check, open } = setUp();
    const { ended } = open();
    check.result = error;
    await clock.advance(60_000);
    expect([ended, check.count]).toEqual([[], 4]);
  });

  it('ends the streams of a revoked key at once, and no others', () => {
    const { open, revoke } = setUp();
    const [one, again, two] = [open(), open(), open(caller({ keyId: 'two' }))];
    revoke('one');
    expect([one, again, two].map(({ ended }) => ended.length)).toEqual([1, 1, 0]);
  });

  it('does not end a stream that was closed during a check', async () => {
    const { clock, check, open } = setUp();
    const { stream, ended } = open();
    check.result = new RequestError(401, 'unauthorized', 'No.');
    const checked = clock.advance(15_000);
    stream.close();
    await checked;
    expect(ended).toEqual([]);
  });

  it('listens for revoked keys until it is closed', () => {
    const { streams, isSubscribed } = setUp();
    expect(isSubscribed()).toBe(true);
    streams.close();
    expect(isSubscribed()).toBe(false);
  });
});
