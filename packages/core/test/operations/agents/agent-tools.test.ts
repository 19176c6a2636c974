import { systemRandom } from '@va/core/adapter';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Agent } from '../../../src/domain/agents/agent.ts';
import type { ToolTemplate } from '../../../src/domain/agents/tools/tool-template.ts';
import { untyped } from '../../support/untyped.ts';
import { organizationOf, orgId, otherOrgId, refusal, testOperations } from '../support.ts';

const server = { url: 'https://customer.test/tool', secret: 'tool-secret-1234567890' };
const config = { name: 'book', description: 'Books a table.', server };

let world: ReturnType<typeof testOperations>;
let agent: Agent;
let template: ToolTemplate;

beforeEach(async () => {
  world = testOperations({ random: systemRandom });
  const { operations, storage, clock } = world;
  await storage.start();
  for (const id of [orgId, otherOrgId]) await storage.organizations.insert(id, organizationOf(id, clock));
  agent = await operations.agents.create(orgId, { name: 'Anna', llm_config: { provider: 'openai' } });
  template = await operations.toolTemplates.create(orgId, { name: 'T', tool_type: 'function', tool_config: config });
});

const add = async (id = template.id, to = agent.id, by = orgId): Promise<Agent> =>
  await world.operations.agents.addTool(by, to, { tool_template_id: id });

describe('adding a tool template to an agent', () => {
  it('appends the tool, and stores its server secret without returning it', async () => {
    const changed = await add();
    const tool = { type: 'function', name: 'book', server: { url: server.url }, async: false };
    expect(changed.llm_config?.tools).toMatchObject([tool]);
    expect(JSON.stringify(changed)).not.toContain(server.secret);
    const stored = await world.storage.agents.get(orgId, agent.id);
    expect(stored?.llm_config?.tools).toMatchObject([{ name: 'book', server }]);
    const hangUp = { name: 'H', tool_type: 'endCall' as const, tool_config: {} };
    const second = await world.operations.toolTemplates.create(orgId, hangUp);
    expect((await add(second.id)).llm_config?.tools.map(({ type }) => type)).toEqual(['function', 'endCall']);
  });

  it('copies the template, so that deleting it does not change the agent', async () => {
    await add();
    await world.operations.toolTemplates.delete(orgId, template.id);
    expect((await world.operations.agents.get(orgId, agent.id)).llm_config?.tools).toHaveLength(1);
  });

  it('adds the tool once when several requests add it at the same time', async () => {
    const outcomes = await Promise.allSettled([add(), add(), add()]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await world.operations.agents.get(orgId, agent.id)).llm_config?.tools).toHaveLength(1);
  });

  it('is refused for a duplicate name, an agent without a model and an invalid template', async () => {
    await add();
    expect(await refusal(add())).toMatchObject({ status: 409, code: 'tool_exists' });
    const bare = await world.operations.agents.create(orgId, { name: 'Bare' });
    expect(await refusal(add(template.id, bare.id))).toMatchObject({ status: 422, code: 'agent_incomplete' });
    await world.storage.toolTemplates.update(orgId, template.id, { tool_config: { name: 'no good name' } });
    expect(await refusal(add())).toMatchObject({ status: 422, code: 'invalid_tool_template' });
    expect(await refusal(world.operations.agents.addTool(orgId, agent.id, untyped({})))).toMatchObject({ status: 400 });
  });

  it('requires both to belong to the organization', async () => {
    const foreign = await refusal(add(template.id, agent.id, otherOrgId));
    expect(foreign).toMatchObject({ status: 404, code: 'agent_not_found' });
    const other = await world.operations.agents.create(otherOrgId, { name: 'B', llm_config: { provider: 'openai' } });
    const stolen = await refusal(add(template.id, other.id, otherOrgId));
    expect(stolen).toMatchObject({ status: 404, code: 'tool_template_not_found' });
    const untouched = await world.storage.agents.get(otherOrgId, other.id);
    expect(untouched).toMatchObject({ updated_at: other.updated_at, llm_config: { tools: [] } });
  });
});
