import { createSecretKey } from 'node:crypto';
import { memory } from '@va/storage/memory';
import { sampleAgent, VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AgentRecord } from '../../src/domain/agents/agent.ts';
import { systemRandom } from '../../src/ids.ts';
import type { Collection, CollectionAcross } from '../../src/ports/storage/collection.ts';
import type { Storage } from '../../src/ports/storage/storage.ts';
import { VaultError } from '../../src/ports/vault.ts';
import { type Sealing, sealedAcross, sealedCollection } from '../../src/sealing/sealed-collection.ts';
import { keyIdOf } from '../../src/sealing/sealed-text.ts';
import { agentSecrets } from '../../src/sealing/secret-fields.ts';
import { organizationOf, orgId, otherOrgId } from '../operations/support.ts';
import { recordId } from '../support/sample-records.ts';

const keys = new Map(
  [orgId, otherOrgId].map((id, n) => [
    id,
    { id: recordId('d', n), key: createSecretKey(Buffer.alloc(32, n + 1)) } as const,
  ]),
);
const agent = sampleAgent({ id: recordId('a', 1), webhook_secret: 'secret-1' });
const other = sampleAgent({ id: recordId('a', 2), webhook_secret: 'secret-2' });

let storage: Storage;
let agents: Collection<AgentRecord>;
let across: CollectionAcross<AgentRecord>;

function sealingWith(changes: Partial<Sealing<AgentRecord>> = {}): Sealing<AgentRecord> {
  return {
    mapSecrets: agentSecrets,
    random: systemRandom,
    isSealing: true,
    scope: {
      current: async (owner) => keys.get(owner) ?? null,
      async open(owner, keyId) {
        const key = keys.get(owner);
        if (key?.id === keyId) return key;
        throw new VaultError('vault_key_unknown', keyId, 'There is no such key.');
      },
    },
    ...changes,
  };
}

beforeEach(async () => {
  storage = memory();
  const clock = new VirtualClock();
  for (const id of [orgId, otherOrgId]) await storage.organizations.insert(id, organizationOf(id, clock));
  agents = sealedCollection(() => storage.agents, sealingWith());
  across = sealedAcross(() => storage.across.agents, sealingWith());
});

/** The webhook secret of an agent as it is stored. */
async function stored(id: string, owner = orgId): Promise<string> {
  return (await storage.agents.get(owner, id))?.webhook_secret ?? '';
}

describe('a sealed collection', () => {
  it('stores no secret in clear, whichever way it is written', async () => {
    await agents.insert(orgId, agent);
    await agents.insertMany(orgId, [other]);
    expect([keyIdOf(await stored(agent.id)), keyIdOf(await stored(other.id))]).toEqual([
      recordId('d', 0),
      recordId('d', 0),
    ]);
    const before = await stored(agent.id);
    await agents.update(orgId, agent.id, { webhook_secret: 'secret-3' });
    expect(keyIdOf(await stored(agent.id))).toBe(recordId('d', 0));
    expect(await stored(agent.id)).not.toBe(before);
  });

  it('gives secrets in clear, whichever way they are read', async () => {
    await agents.insert(orgId, agent);
    await agents.insertMany(orgId, [other]);
    const read = [
      await agents.get(orgId, agent.id),
      await agents.lock(orgId, agent.id),
      await agents.update(orgId, agent.id, { name: 'Renamed' }),
      await agents.increment(orgId, agent.id, { max_duration_seconds: 1 }),
    ];
    expect(read.map((each) => each?.webhook_secret)).toEqual(Array(4).fill('secret-1'));
    const listed = await agents.list(orgId, { limit: 5 });
    expect(listed.map(({ webhook_secret: secret }) => secret).sort()).toEqual(['secret-1', 'secret-2']);
  });

  it('seals the same secret differently in each record, so that equal ones do not show', async () => {
    await agents.insertMany(orgId, [agent, { ...other, webhook_secret: agent.webhook_secret }]);
    expect(await stored(agent.id)).not.toBe(await stored(other.id));
  });

  it('does not touch what is no secret', async () => {
    await agents.insert(orgId, agent);
    const { webhook_secret: _sealed, ...rest } = (await storage.agents.get(orgId, agent.id)) ?? {};
    const { webhook_secret: _plain, ...expected } = agent;
    expect(rest).toEqual(expected);
    expect(await agents.count(orgId, { where: { name: agent.name } })).toBe(1);
  });

  it('returns null for a record that is not there, or not as expected', async () => {
    await agents.insert(orgId, agent);
    expect([
      await agents.get(orgId, other.id),
      await agents.get(otherOrgId, agent.id),
      await agents.lock(orgId, agent.id, { name: 'Other' }),
      await agents.update(orgId, agent.id, { name: 'Renamed' }, { name: 'Other' }),
      await agents.increment(orgId, other.id, { max_duration_seconds: 1 }),
    ]).toEqual(Array(5).fill(null));
  });

  it('refuses to open what was sealed for another field, record or organization', async () => {
    await agents.insertMany(orgId, [agent, other]);
    await storage.agents.update(orgId, other.id, { webhook_secret: await stored(agent.id) });
    await expect(agents.get(orgId, other.id)).rejects.toMatchObject({ code: 'secret_unreadable' });
    await storage.agents.update(orgId, agent.id, { webhook_previous_secret: await stored(agent.id) });
    await expect(agents.get(orgId, agent.id)).rejects.toMatchObject({ code: 'secret_unreadable' });
    await storage.agents.insert(otherOrgId, { ...other, id: recordId('a', 3), webhook_secret: await stored(agent.id) });
    await expect(agents.get(otherOrgId, recordId('a', 3))).rejects.toMatchObject({ code: 'vault_key_unknown' });
  });

  it('refuses one secret for many records, before it changes any', async () => {
    await agents.insertMany(orgId, [agent, other]);
    await expect(agents.updateMany(orgId, {}, { name: 'X', webhook_secret: 'same' })).rejects.toMatchObject({
      code: 'internal_error',
    });
    expect(await agents.count(orgId, { where: { name: 'X' } })).toBe(0);
    expect(await agents.updateMany(orgId, {}, { name: 'X' })).toBe(2);
  });

  it('deletes what it has not read', async () => {
    await agents.insert(orgId, agent);
    expect([await agents.delete(orgId, agent.id), await agents.delete(orgId, agent.id)]).toEqual([true, false]);
  });
});

describe('a sealed collection over all organizations', () => {
  it('seals and opens with the key of each organization', async () => {
    await across.insertMany([
      { orgId, record: agent },
      { orgId: otherOrgId, record: other },
    ]);
    expect([keyIdOf(await stored(agent.id)), keyIdOf(await stored(other.id, otherOrgId))]).toEqual([
      recordId('d', 0),
      recordId('d', 1),
    ]);
    const found = await across.find({}, 5, 'id');
    expect(found.map(({ orgId: owner, record }) => [owner, record.webhook_secret])).toEqual([
      [orgId, 'secret-1'],
      [otherOrgId, 'secret-2'],
    ]);
  });

  it('opens what it claims, and purges what it has not read', async () => {
    await across.insertMany([{ orgId, record: agent }]);
    const filter = { where: { name: agent.name } };
    expect(await across.claim({ filter, changes: { name: 'Claimed' }, limit: 1 })).toMatchObject([
      { orgId, record: { name: 'Claimed', webhook_secret: 'secret-1' } },
    ]);
    expect(await across.purge({ where: { name: 'Claimed' } }, 5)).toBe(1);
  });
});

describe('without a vault', () => {
  const notSealing = sealingWith({ isSealing: false });

  it('secrets are stored as they are', async () => {
    const plain = sealedCollection(() => storage.agents, notSealing);
    await plain.insert(orgId, agent);
    expect([await stored(agent.id), (await plain.get(orgId, agent.id))?.webhook_secret]).toEqual([
      'secret-1',
      'secret-1',
    ]);
    expect(await plain.updateMany(orgId, {}, { webhook_secret: 'same' })).toBe(1);
  });

  it('a secret in the form of a sealed one is refused, with its field', async () => {
    const plain = sealedCollection(() => storage.agents, notSealing);
    await agents.insert(orgId, agent);
    const odd = await stored(agent.id);
    await expect(plain.update(orgId, agent.id, { webhook_previous_secret: odd })).rejects.toMatchObject({
      status: 400,
      code: 'invalid_field',
      faults: [{ path: 'webhook_previous_secret', code: 'invalid_field' }],
    });
  });
});
