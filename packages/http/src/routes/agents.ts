import { agentSchema, createAgentSchema, updateAgentSchema } from '@va/core';
import { z } from 'zod';
import type { ScopedRoute } from './route.ts';
import { deletedSchema } from './schemas.ts';

const agentAnswer = z.object({ agent: agentSchema });

export const agentRoutes: readonly ScopedRoute[] = [
  {
    method: 'GET',
    path: '/agents',
    scope: 'agents:read',
    response: z.object({ agents: z.array(agentSchema) }),
    async handle({ host, principal, query }) {
      return { status: 200, body: { agents: await host.operations.agents.list(principal.orgId, query) } };
    },
  },
  {
    method: 'POST',
    path: '/agents',
    scope: 'agents:write',
    body: createAgentSchema,
    response: agentAnswer,
    async handle({ host, principal, body, apiPath }) {
      const agent = await host.operations.agents.create(principal.orgId, body);
      return { status: 201, body: { agent }, headers: { location: `${apiPath}/agents/${agent.id}` } };
    },
  },
  {
    method: 'GET',
    path: '/agents/:id',
    scope: 'agents:read',
    response: agentAnswer,
    async handle({ host, principal, params: { id = '' } }) {
      return { status: 200, body: { agent: await host.operations.agents.get(principal.orgId, id) } };
    },
  },
  {
    method: 'PATCH',
    path: '/agents/:id',
    scope: 'agents:write',
    body: updateAgentSchema,
    response: agentAnswer,
    async handle({ host, principal, params: { id = '' }, body }) {
      return { status: 200, body: { agent: await host.operations.agents.update(principal.orgId, id, body) } };
    },
  },
  {
    method: 'DELETE',
    path: '/agents/:id',
    scope: 'agents:write',
    response: deletedSchema,
    async handle({ host, principal, params: { id = '' } }) {
      await host.operations.agents.delete(principal.orgId, id);
      return { status: 200, body: { success: true } };
    },
  },
];
