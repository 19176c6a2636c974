import { createToolTemplateSchema, toolTemplateSchema, updateToolTemplateSchema } from '@va/core';
import { z } from 'zod';
import { component } from '../route/components.ts';
import { defineRoute } from '../route/define-route.ts';
import { deleted, deletedSchema, wholeListQuery } from '../route/shared-schemas.ts';

const template = component('ToolTemplate', toolTemplateSchema);

export const toolTemplates = {
  list: defineRoute({
    method: 'GET',
    path: '/tool-templates',
    scope: 'tool-templates:read',
    summary: 'List tool templates',
    query: wholeListQuery,
    result: z.array(template),
    wrap: 'toolTemplates',
    run: ({ operations, orgId, query }) => operations.toolTemplates.list(orgId, query),
  }),
  create: defineRoute({
    method: 'POST',
    path: '/tool-templates',
    scope: 'tool-templates:write',
    summary: 'Create a tool template',
    description: '`tool_config` must match `tool_type`; for `endCall` it may be empty.',
    body: component('NewToolTemplate', createToolTemplateSchema),
    status: 201,
    result: template,
    wrap: 'toolTemplate',
    location: ({ id }) => `/tool-templates/${id}`,
    run: ({ operations, orgId, body }) => operations.toolTemplates.create(orgId, body),
  }),
  get: defineRoute({
    method: 'GET',
    path: '/tool-templates/:id',
    scope: 'tool-templates:read',
    summary: 'Get a tool template',
    result: template,
    wrap: 'toolTemplate',
    errors: { 404: ['tool_template_not_found'] },
    run: ({ operations, orgId, params }) => operations.toolTemplates.get(orgId, params.id),
  }),
  update: defineRoute({
    method: 'PATCH',
    path: '/tool-templates/:id',
    scope: 'tool-templates:write',
    summary: 'Update a tool template',
    description: 'Changes only the given keys.',
    body: component('ToolTemplateChanges', updateToolTemplateSchema),
    result: template,
    wrap: 'toolTemplate',
    errors: { 404: ['tool_template_not_found'] },
    run: ({ operations, orgId, params, body }) => operations.toolTemplates.update(orgId, params.id, body),
  }),
  delete: defineRoute({
    method: 'DELETE',
    path: '/tool-templates/:id',
    scope: 'tool-templates:write',
    summary: 'Delete a tool template',
    result: deletedSchema,
    errors: { 404: ['tool_template_not_found'] },
    run: ({ operations, orgId, params }) => operations.toolTemplates.delete(orgId, params.id).then(deleted),
  }),
};
