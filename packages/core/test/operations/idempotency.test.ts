import { memory } from '@va/storage/memory';
import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../src/ids.ts';
import { aesVault } from '../../src/node/aes-vault.ts';
import { createIdempotencyStore, type IdempotencyState, type StoredAnswer } from '../../src/operations/idempotency.ts';
import { orgId, otherOrgId } from './support.ts';

const answer: StoredAnswer = {
  status: 201,
  contentType: 'application/json',
  location: '/agents/1',
  body: '{"agent":{}}',
  secret: false,
};

function testStore(): {
  store: ReturnType<typeof createIdempotencyStore>;
  storage: ReturnType<typeof memory>;
  clock: VirtualClock;
} {
  const storage = memory();
  const clock = new VirtualClock();
  const vault = aesVault({ key: Buffer.alloc(32, 1) });
  return { store: createIdempotencyStore({ storage, clock, random: systemRandom, vault }), storage, clock };
}

async function finish(state: IdempotencyState, given: StoredAnswer = answer): Promise<void> {
  if (state.state !== 'new') throw new Error(`unexpected state ${state.state}`);
  await state.finish(given);
}

describe('requests with an idempotency key', () => {
  it('run once and replay the stored response', async () => {
    const { store } = testStore();
    await finish(await store.begin(orgId, 'POST /agents', 'k', 'f'));
    for (let n = 0; n < 2; n += 1) {
      expect(await store.begin(orgId, 'POST /agents', 'k', 'f')).toEqual({ state: 'replay', answer });
    }
    expect((await store.begin(orgId, 'POST /agents', 'k', 'other')).state).toBe('other_body');
  });

  it('are distinguished by organization, method, path and key', async () => {
    const { store } = testStore();
    await finish(await store.begin(orgId, 'POST /agents', 'k', 'f'));
    expect((await store.begin(otherOrgId, 'POST /agents', 'k', 'f')).state).toBe('new');
    expect((await store.begin(orgId, 'POST /numbers', 'k', 'f')).state).toBe('new');
    expect((await store.begin(orgId, 'POST /agents', 'K', 'f')).state).toBe('new');
  });

  it('run one at a time', async () => {
    const { store } = testStore();
    const states = await Promise.all(Array.from({ length: 9 }, () => store.begin(orgId, 's', 'k', 'f')));
    expect(states.map(({ state }) => state).sort()).toEqual(['new', ...Array(8).fill('running')].sort());
  });

  it('can be repeated after they were abandoned, or after their process died', async () => {
    const { store, clock } = testStore();
    const first = await store.begin(orgId, 's', 'k', 'f');
    if (first.state === 'new') await first.abandon();
    expect((await store.begin(orgId, 's', 'k', 'f')).state).toBe('new');
    await clock.advance(59_999);
    expect((await store.begin(orgId, 's', 'k', 'f')).state).toBe('running');
    await clock.advance(1);
    const states = await Promise.all([store.begin(orgId, 's', 'k', 'f'), store.begin(orgId, 's', 'k', 'f')]);
    expect(states.map(({ state }) => state).sort()).toEqual(['new', 'running']);
  });

  it('do not overwrite the response of a request that took over their key', async () => {
    const { store, clock } = testStore();
    const slow = await store.begin(orgId, 's', 'k', 'f');
    await clock.advance(60_000);
    const next = await store.begin(orgId, 's', 'k', 'f');
    if (slow.state !== 'new' || next.state !== 'new')
      throw new Error('expected both requests to acquire the key in turn');
    await slow.abandon();
    expect((await store.begin(orgId, 's', 'k', 'f')).state).toBe('running');
    await slow.finish({ ...answer, body: '"slow"' });
    await slow.finish({ ...answer, body: '"slow"', secret: true });
    expect((await store.begin(orgId, 's', 'k', 'f')).state).toBe('running');
    await next.finish(answer);
    expect(await store.begin(orgId, 's', 'k', 'f')).toEqual({ state: 'replay', answer });
  });

  it('delete the secret of the old response when their key is reused after a day', async () => {
    const { store, storage, clock } = testStore();
    await finish(await store.begin(orgId, 's', 'k', 'f'), { ...answer, secret: true });
    await clock.advance(86_400_000);
    expect((await store.begin(orgId, 's', 'k', 'f')).state).toBe('new');
    expect(await storage.secrets.count(orgId)).toBe(0);
  });

  it('expire after a day', async () => {
    const { store, storage, clock } = testStore();
    await finish(await store.begin(orgId, 's', 'k', 'f'));
    await finish(await store.begin(orgId, 's', 'k2', 'f'), { ...answer, secret: true });
    await clock.advance(86_400_000);
    expect((await store.begin(orgId, 's', 'k', 'another')).state).toBe('new');
    await clock.advance(1);
    expect(await store.purge()).toBe(1);
    expect([await storage.idempotency.count(orgId), await storage.secrets.count(orgId)]).toEqual([1, 0]);
  });

  it('store a response that contains a secret in the vault', async () => {
    const { store, storage } = testStore();
    const secret = { ...answer, body: '{"secret":"va_live_x"}', secret: true };
    await finish(await store.begin(orgId, 's', 'k', 'f'), secret);
    expect(await store.begin(orgId, 's', 'k', 'f')).toEqual({ state: 'replay', answer: secret });
    const stored = [
      await storage.idempotency.list(orgId, { limit: 9 }),
      await storage.secrets.list(orgId, { limit: 9 }),
    ];
    expect(JSON.stringify(stored)).not.toContain('va_live_x');
  });
});
