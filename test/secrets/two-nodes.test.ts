import { type AesVault, aesVault, type Operations, systemDns } from '@va/core';
import {
  createByokOperations,
  createMailDomainOperations,
  createOrganizationOperations,
  type Storage,
  systemClock,
  systemRandom,
} from '@va/core/adapter';
import { resend } from '@va/mail/resend';
import { vendorCatalog } from '@va/providers/catalog';
import { postgres } from '@va/storage/postgres';
import { ResendServer } from '@va/test-servers/mail-servers';
import { type PostgresServer, startPostgres } from '@va/test-servers/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

interface ServiceNode {
  readonly storage: Storage;
  readonly operations: Pick<Operations, 'byok' | 'mailDomains' | 'organizations'>;
}

const key = systemRandom(32);
const vault = aesVault({ key });

let server: PostgresServer;
let provider: ResendServer;
let nodes: ServiceNode[];
beforeAll(async () => {
  server = await startPostgres();
  provider = await ResendServer.start();
  nodes = [];
  for (let at = 0; at < 2; at++) nodes.push(await startNode());
});
afterAll(async () => {
  for (const { storage } of nodes) await storage.close();
  await provider.close();
  await server.stop();
});

/** Starts the parts of a service process that handle secrets and domains. */
async function startNode(): Promise<ServiceNode> {
  const storage = postgres({ connectionString: server.connectionString, migrations: 'auto' });
  await storage.start();
  const deps = { storage, vault, clock: systemClock, random: systemRandom };
  const mail = resend({ apiKey: 're_test', baseUrl: provider.url });
  const operations = {
    byok: createByokOperations({ ...deps, byokProviders: vendorCatalog }),
    mailDomains: createMailDomainOperations({
      ...{ ...deps, mail, mayUseDomain: () => true },
      dns: systemDns({ servers: ['127.0.0.1:9'] }),
    }),
    organizations: createOrganizationOperations(deps),
  };
  return { storage, operations };
}

async function newOrganization(name: string): Promise<string> {
  return (await nodeOf(0).operations.organizations.create({ name })).id;
}

function nodeOf(at: number): ServiceNode {
  const node = nodes[at % nodes.length];
  if (node === undefined) throw new Error('the nodes are not started');
  return node;
}

async function secretOf(orgId: string, id: string, opener: AesVault = vault): Promise<string | null> {
  return await opener.get({ orgId, id }, nodeOf(0).storage);
}

describe('two nodes on one PostgreSQL', () => {
  it('keep one key and one secret per provider when the key is set several times at once', async () => {
    const orgId = await newOrganization('Keys');
    await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        nodeOf(at).operations.byok.set(orgId, { provider: 'openai', api_key: `sk-${at}` }),
      ),
    );
    const { storage, operations } = nodeOf(1);
    expect(await storage.byokKeys.count(orgId)).toBe(1);
    expect(await storage.secrets.count(orgId)).toBe(1);
    const keys = await operations.byok.list(orgId);
    expect(await secretOf(orgId, keys.openai_secret_id ?? '')).toMatch(/^sk-\d+$/);
  });

  it('leave no orphaned secret when a key is set and deleted at once', async () => {
    const orgId = await newOrganization('Set and deleted');
    await nodeOf(0).operations.byok.set(orgId, { provider: 'openai', api_key: 'sk-0' });
    await Promise.allSettled(
      Array.from({ length: 12 }, (_, at) => {
        const { byok } = nodeOf(at).operations;
        return at % 3 === 0
          ? byok.delete(orgId, { provider: 'openai' })
          : byok.set(orgId, { provider: 'openai', api_key: `sk-${at}` });
      }),
    );
    const { storage } = nodeOf(0);
    expect(await storage.secrets.count(orgId)).toBe(await storage.byokKeys.count(orgId));
  });

  it('re-encrypt every secret together while keys are read', async () => {
    const orgId = await newOrganization('Rotation');
    const { operations, storage } = nodeOf(0);
    const providers = ['openai', 'deepgram', 'elevenlabs', 'xai'];
    for (const provider of providers) await operations.byok.set(orgId, { provider, api_key: `key-${provider}` });
    const before = await storage.across.secrets.find({}, 1_000);
    const next = aesVault({ key: systemRandom(32), previousKeys: [key] });
    const rotations = await Promise.all(nodes.map((node) => next.rotate(node.storage)));
    expect(rotations.every(({ unreadable }) => unreadable.length === 0)).toBe(true);
    const after = await storage.across.secrets.find({}, 1_000);
    expect(after.map(({ record }) => record.id)).toEqual(before.map(({ record }) => record.id));
    const keys = await operations.byok.list(orgId);
    const read = await Promise.all(
      providers.map((provider) => secretOf(orgId, keys[`${provider}_secret_id`] ?? '', next)),
    );
    expect(read).toEqual(providers.map((provider) => `key-${provider}`));
    await expect(secretOf(orgId, keys.openai_secret_id ?? '')).rejects.toMatchObject({ code: 'vault_key_unknown' });
  });

  it('assign a domain to only one organization', async () => {
    const [one, other] = [await newOrganization('One'), await newOrganization('Other')];
    const adding = [one, other, one, other].map((orgId, at) =>
      nodeOf(at).operations.mailDomains.add(orgId, { domain_name: 'news.example.com' }),
    );
    const settled = await Promise.allSettled(adding);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const each of settled) {
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ status: 409, code: 'domain_exists' });
    }
    const free = provider.create('free.example.com');
    const selecting = [one, other, one, other].map((orgId, at) =>
      nodeOf(at).operations.mailDomains.select(orgId, { domain_id: free.id }),
    );
    for (const each of await Promise.allSettled(selecting)) {
      if (each.status === 'rejected') expect([400, 409]).toContain(each.reason.status);
    }
    const owners = await nodeOf(0).storage.across.mailDomains.find({ where: { domain_name: 'free.example.com' } }, 10);
    expect(owners).toHaveLength(1);
  });
});
