import { aesVault } from '@va/core';
import { systemRandom, type Vault } from '@va/core/adapter';
import { memory } from '@va/storage/memory';
import { VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Storage } from '../../src/ports/storage/storage.ts';
import { sealedStorage } from '../../src/sealing/sealed-storage.ts';
import { testOperations } from '../operations/support.ts';

const vault = aesVault({ key: Buffer.alloc(32, 7) });
const secrets = {
  organization: 'organization-secret-0001',
  agent: 'agent-secret-0002',
  nextAgent: 'agent-secret-0003',
  tool: 'tool-secret-0004',
  template: 'template-secret-0005',
};
const toolOf = (secret: string) => ({ name: 'book', server: { url: 'https://customer.test/tool', secret } });

let plain: Storage;

function operationsWith(given: Vault | undefined): ReturnType<typeof testOperations>['operations'] {
  return testOperations({ storage: plain, random: systemRandom, vault: given }).operations;
}

async function fill(given: Vault | undefined) {
  const operations = operationsWith(given);
  const created = { name: 'Acme', webhook_secret: secrets.organization };
  const { id: orgId } = await operations.organizations.create(created);
  const llm_config = { provider: 'openai', tools: [{ type: 'function' as const, ...toolOf(secrets.tool) }] };
  const agent = await operations.agents.create(orgId, { name: 'A', webhook_secret: secrets.agent, llm_config });
  const tool_config = toolOf(secrets.template);
  const template = await operations.toolTemplates.create(orgId, { name: 'T', tool_type: 'function', tool_config });
  await operations.agents.update(orgId, agent.id, { webhook_secret: secrets.nextAgent });
  return { operations, orgId, agentId: agent.id, templateId: template.id };
}

/** Returns all stored records of an organization as text. */
async function stored(orgId: string): Promise<string> {
  const { organizations, agents, toolTemplates, secrets: sealed } = plain;
  const collections = [organizations, agents, toolTemplates, sealed];
  return JSON.stringify(await Promise.all(collections.map((each) => each.list(orgId, { limit: 100 }))));
}

beforeEach(async () => {
  plain = memory();
  await plain.start();
});

describe('secrets in records', () => {
  it('are sealed at rest, and plain text when read through the service', async () => {
    const { operations, orgId, agentId, templateId } = await fill(vault);
    const raw = await stored(orgId);
    for (const secret of Object.values(secrets)) expect(raw).not.toContain(secret);
    expect((await operations.agents.get(orgId, agentId)).webhook_secret).toBe(secrets.nextAgent);
    const reading = sealedStorage(plain, { vault, clock: new VirtualClock(), random: systemRandom });
    expect(await reading.organizations.get(orgId, orgId)).toMatchObject({ webhook_secret: secrets.organization });
    expect(await reading.agents.list(orgId, { limit: 1 })).toMatchObject([
      {
        webhook_secret: secrets.nextAgent,
        webhook_previous_secret: secrets.agent,
        llm_config: { tools: [toolOf(secrets.tool)] },
      },
    ]);
    const template = { tool_config: toolOf(secrets.template) };
    expect(await reading.toolTemplates.get(orgId, templateId)).toMatchObject(template);
    const owned = await reading.across.agents.find({ where: { id: agentId } }, 1);
    expect(owned).toMatchObject([{ orgId, record: { webhook_secret: secrets.nextAgent } }]);
    const within = await reading.transaction((tx) => tx.agents.get(orgId, agentId));
    expect(within).toMatchObject({ webhook_secret: secrets.nextAgent });
  });

  it('are kept when a tool template is copied into an agent', async () => {
    const { operations, orgId, templateId } = await fill(vault);
    const { id } = await operations.agents.create(orgId, { name: 'B', llm_config: { provider: 'openai' } });
    await operations.agents.addTool(orgId, id, { tool_template_id: templateId });
    const reading = sealedStorage(plain, { vault, clock: new VirtualClock(), random: systemRandom });
    const tools = [toolOf(secrets.template)];
    expect(await reading.agents.get(orgId, id)).toMatchObject({ llm_config: { tools } });
    expect(await stored(orgId)).not.toContain(secrets.template);
  });

  it('stored before a vault was configured are readable, and sealed on the next write', async () => {
    const { orgId, agentId, templateId } = await fill(undefined);
    expect(await stored(orgId)).toContain(secrets.nextAgent);
    const operations = operationsWith(vault);
    expect((await operations.agents.get(orgId, agentId)).webhook_secret).toBe(secrets.nextAgent);
    const tools = [{ type: 'function' as const, ...toolOf(secrets.tool) }];
    const changes = { webhook_secret: 'agent-secret-0006', llm_config: { provider: 'openai', tools } };
    await operations.agents.update(orgId, agentId, changes);
    await operations.toolTemplates.update(orgId, templateId, { tool_config: toolOf(secrets.template) });
    await operations.organizations.update(orgId, { webhook_secret: 'organization-secret-0007' });
    const raw = await stored(orgId);
    for (const secret of [...Object.values(secrets), 'secret-0006', 'secret-0007']) expect(raw).not.toContain(secret);
  });

  it('share one key per organization, also when several writers create it concurrently', async () => {
    const { operations, orgId } = await fill(undefined);
    const [first, second] = [operationsWith(vault), operationsWith(vault)];
    const agents = await Promise.all(
      [first, second, first].map((each, n) =>
        each.agents.create(orgId, { name: `N${n}`, webhook_secret: `s-000${n}` }),
      ),
    );
    expect(await plain.secrets.count(orgId)).toBe(1);
    for (const [n, { id }] of agents.entries()) {
      expect((await operationsWith(vault).agents.get(orgId, id)).webhook_secret).toBe(`s-000${n}`);
    }
    expect(operations).toBeDefined();
  });

  it('do not use a key whose transaction was rolled back', async () => {
    const { orgId } = await fill(undefined);
    const clock = new VirtualClock();
    const storage = sealedStorage(plain, { vault, clock, random: systemRandom });
    const [agent] = await storage.agents.list(orgId, { limit: 1 });
    const failing = storage.transaction(async (tx) => {
      await tx.agents.update(orgId, agent?.id ?? '', { webhook_secret: 'agent-secret-0008' });
      throw new Error('Rolled back.');
    });
    await expect(failing).rejects.toThrow('Rolled back.');
    await storage.agents.update(orgId, agent?.id ?? '', { webhook_secret: 'agent-secret-0009' });
    const again = sealedStorage(plain, { vault, clock, random: systemRandom });
    expect(await again.agents.get(orgId, agent?.id ?? '')).toMatchObject({ webhook_secret: 'agent-secret-0009' });
  });

  it('cannot be opened in another record or without the vault', async () => {
    const { operations, orgId, agentId } = await fill(vault);
    const other = await operations.agents.create(orgId, { name: 'B' });
    const moved = await plain.agents.get(orgId, agentId);
    await plain.agents.update(orgId, other.id, { webhook_secret: moved?.webhook_secret ?? '' });
    await expect(operations.agents.get(orgId, other.id)).rejects.toMatchObject({ code: 'secret_unreadable' });
    const without = operationsWith(undefined).agents.get(orgId, agentId);
    await expect(without).rejects.toMatchObject({ code: 'vault_unavailable' });
  });

  it('may look like sealed values', async () => {
    const { operations, orgId, agentId } = await fill(vault);
    const odd = 'sealed:1:00000000-0000-7000-8000-000000000001:AAAA:BBBB';
    await operations.agents.update(orgId, agentId, { webhook_secret: odd });
    expect((await operations.agents.get(orgId, agentId)).webhook_secret).toBe(odd);
  });

  it('that look like sealed values are rejected without a vault, because they could not be read back', async () => {
    const { operations, orgId, agentId } = await fill(undefined);
    const odd = 'sealed:1:00000000-0000-7000-8000-000000000001:AAAA:BBBB';
    const refused = expect.objectContaining({ status: 400, code: 'invalid_field' });
    await expect(operations.agents.update(orgId, agentId, { webhook_secret: odd })).rejects.toThrow(refused);
    expect((await operations.agents.get(orgId, agentId)).webhook_secret).toBe(secrets.nextAgent);
  });

  it('are rejected by updateMany', async () => {
    const { orgId } = await fill(vault);
    const storage = sealedStorage(plain, { vault, clock: new VirtualClock(), random: systemRandom });
    await expect(storage.agents.updateMany(orgId, {}, { webhook_secret: 'x' })).rejects.toThrow('one record at a time');
    expect(await storage.agents.updateMany(orgId, {}, { name: 'Renamed' })).toBe(1);
  });
});
