import {
  addToolSchema,
  agentSchema,
  createAgentSchema,
  toolTrialAnswerSchema,
  toolTrialSchema,
  updateAgentSchema,
} from '@va/core';
import { z } from 'zod';
import { component } from '../route/components.ts';
import { defineRoute } from '../route/define-route.ts';
import { deleted, deletedSchema, wholeListQuery } from '../route/shared-schemas.ts';

const agent = component('Agent', agentSchema);

export const agents = {
  list: defineRoute({
    method: 'GET',
    path: '/agents',
    scope: 'agents:read',
    summary: 'List agents',
    query: wholeListQuery,
    result: z.array(agent),
    wrap: 'agents',
    run: ({ operations, orgId, query }) => operations.agents.list(orgId, query),
  }),
  create: defineRoute({
    method: 'POST',
    path: '/agents',
    scope: 'agents:write',
    summary: 'Create an agent',
    body: component('NewAgent', createAgentSchema),
    status: 201,
    result: agent,
    wrap: 'agent',
    location: ({ id }) => `/agents/${id}`,
    errors: { 400: ['invalid_reference'], 422: ['not_supported_in_realtime'] },
    showsSecrets: true,
    run: ({ operations, orgId, body }) => operations.agents.create(orgId, body),
  }),
  get: defineRoute({
    method: 'GET',
    path: '/agents/:id',
    scope: 'agents:read',
    summary: 'Get an agent',
    result: agent,
    wrap: 'agent',
    errors: { 404: ['agent_not_found'] },
    run: ({ operations, orgId, params }) => operations.agents.get(orgId, params.id),
  }),
  update: defineRoute({
    method: 'PATCH',
    path: '/agents/:id',
    scope: 'agents:write',
    summary: 'Update an agent',
    description:
      'Changes only the given keys. A nested configuration is replaced as a whole; null clears a nullable field.',
    body: component('AgentChanges', updateAgentSchema),
    result: agent,
    wrap: 'agent',
    errors: { 400: ['invalid_reference'], 404: ['agent_not_found'], 422: ['not_supported_in_realtime'] },
    run: ({ operations, orgId, params, body }) => operations.agents.update(orgId, params.id, body),
  }),
  addTool: defineRoute({
    method: 'POST',
    path: '/agents/:id/tools',
    scope: 'agents:write',
    summary: 'Add a tool from a template to an agent',
    description:
      'Appends a copy of the template, with the secret of its server, to `llm_config.tools`. Later changes of ' +
      'the template do not affect the agent.',
    body: component('NewAgentTool', addToolSchema),
    result: agent,
    wrap: 'agent',
    errors: {
      404: ['agent_not_found', 'tool_template_not_found'],
      409: ['tool_exists'],
      422: ['agent_incomplete', 'invalid_tool_template', 'not_supported_in_realtime', 'too_many_tools'],
    },
    showsSecrets: true,
    run: ({ operations, orgId, params, body }) => operations.agents.addTool(orgId, params.id, body),
  }),
  tryTool: defineRoute({
    method: 'POST',
    path: '/agents/:id/tools/try',
    scope: 'agents:write',
    summary: 'Try a tool of an agent',
    description:
      'Runs a saved tool once, without a call, and returns what the model would receive. The tool is executed, ' +
      'for at most 30 s: its server receives the request of a call whose `metadata` has `trial: true`. `name` ' +
      'is the name that the model uses; that of an MCP server’s tool begins with the server’s prefix.',
    body: component('NewToolTrial', toolTrialSchema),
    result: component('ToolTrial', toolTrialAnswerSchema),
    errors: { 404: ['agent_not_found', 'tool_not_found'], 422: ['tool_needs_call'] },
    limit: ({ params }) => ({ name: 'toolTrial', key: params.id }),
    run: ({ operations, orgId, params, body }) => operations.agents.tryTool(orgId, params.id, body),
  }),
  delete: defineRoute({
    method: 'DELETE',
    path: '/agents/:id',
    scope: 'agents:write',
    summary: 'Delete an agent',
    description: 'Phone numbers assigned to the agent get `agent_id` null.',
    result: deletedSchema,
    errors: { 404: ['agent_not_found'] },
    run: ({ operations, orgId, params }) => operations.agents.delete(orgId, params.id).then(deleted),
  }),
};
