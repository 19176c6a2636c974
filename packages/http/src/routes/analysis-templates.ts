import {
  analysisTemplateSchema,
  createAnalysisTemplateSchema,
  paginationSchema,
  updateAnalysisTemplateSchema,
} from '@va/core';
import { z } from 'zod';
import { component } from '../route/components.ts';
import { defineRoute } from '../route/define-route.ts';
import { deleted, deletedSchema, pageQuery } from '../route/shared-schemas.ts';

const template = component('AnalysisTemplate', analysisTemplateSchema);

export const analysisTemplates = {
  list: defineRoute({
    method: 'GET',
    path: '/analysis-templates',
    scope: 'analysis-templates:read',
    summary: 'List analysis templates',
    description: 'Newest first.',
    query: pageQuery({ defaultLimit: 50, maxLimit: 100 }, {}),
    result: z.object({ analysis_templates: z.array(template), pagination: paginationSchema }),
    run: ({ operations, orgId, query }) => operations.analysisTemplates.list(orgId, query),
  }),
  create: defineRoute({
    method: 'POST',
    path: '/analysis-templates',
    scope: 'analysis-templates:write',
    summary: 'Create an analysis template',
    description: '`schema` must be a valid JSON Schema of type object.',
    body: component('NewAnalysisTemplate', createAnalysisTemplateSchema),
    status: 201,
    result: template,
    location: ({ id }) => `/analysis-templates/${id}`,
    run: ({ operations, orgId, body }) => operations.analysisTemplates.create(orgId, body),
  }),
  get: defineRoute({
    method: 'GET',
    path: '/analysis-templates/:template_id',
    scope: 'analysis-templates:read',
    summary: 'Get an analysis template',
    result: template,
    errors: { 404: ['analysis_template_not_found'] },
    run: ({ operations, orgId, params }) => operations.analysisTemplates.get(orgId, params.template_id),
  }),
  update: defineRoute({
    method: 'PATCH',
    path: '/analysis-templates/:template_id',
    scope: 'analysis-templates:write',
    summary: 'Update an analysis template',
    description: 'Changes only the given keys. Agents that hold a copy of the template are not affected.',
    body: component('AnalysisTemplateChanges', updateAnalysisTemplateSchema),
    result: template,
    errors: { 404: ['analysis_template_not_found'] },
    run: ({ operations, orgId, params, body }) => operations.analysisTemplates.update(orgId, params.template_id, body),
  }),
  delete: defineRoute({
    method: 'DELETE',
    path: '/analysis-templates/:template_id',
    scope: 'analysis-templates:write',
    summary: 'Delete an analysis template',
    result: deletedSchema,
    errors: { 404: ['analysis_template_not_found'] },
    run: ({ operations, orgId, params }) =>
      operations.analysisTemplates.delete(orgId, params.template_id).then(deleted),
  }),
};
