import { z } from 'zod';
import { analysisTemplate as written } from '../../support/tenant.ts';
import { type Row, row } from '../row.ts';
import { analysisTemplate, pagination, success, toolTemplate } from '../shapes.ts';

const tool = {
  name: 'Book',
  description: 'Books a table',
  tool_type: 'function',
  tool_config: { name: 'book', description: 'Books', parameters: { type: 'object', properties: {} } },
};
const transfer = {
  name: 'To a colleague',
  tool_type: 'transferCall',
  tool_config: { destinations: [{ type: 'sip', number: 'sip:desk@example.com', description: 'The desk' }] },
};
const wrapped = z.strictObject({ toolTemplate });
const toolLocation = /\/tool-templates\/[0-9a-f-]{36}$/;

export const toolTemplateRows: readonly Row[] = [
  row('GET /tool-templates', {
    async request(tenant) {
      await tenant.newToolTemplate();
      return {};
    },
    body: z.strictObject({ toolTemplates: z.array(toolTemplate).length(1) }),
  }),
  ...[
    tool,
    { ...transfer, description: null },
    { name: 'End', description: null, tool_type: 'endCall', tool_config: {} },
  ].map((json) =>
    row('POST /tool-templates', {
      title: `accepts a template of type ${json.tool_type}`,
      request: async () => ({ json }),
      status: 201,
      body: wrapped,
      has: { toolTemplate: json },
      location: toolLocation,
    }),
  ),
  row('GET /tool-templates/{id}', {
    request: async (tenant) => ({ params: [(await tenant.newToolTemplate()).id] }),
    body: wrapped,
  }),
  row('PATCH /tool-templates/{id}', {
    request: async (tenant) => ({ params: [(await tenant.newToolTemplate()).id], json: tool }),
    body: wrapped,
    has: { toolTemplate: tool },
  }),
  row('DELETE /tool-templates/{id}', {
    request: async (tenant) => ({ params: [(await tenant.newToolTemplate()).id] }),
    body: success,
  }),
];

const analysis = { ...written, description: 'How it went', is_active: false };

export const analysisTemplateRows: readonly Row[] = [
  row('GET /analysis-templates', {
    async request(tenant) {
      await tenant.newAnalysisTemplate();
      return {};
    },
    body: z.strictObject({ analysis_templates: z.array(analysisTemplate).length(1), pagination }),
    has: { pagination: { total: 1, limit: 50, offset: 0 } },
  }),
  row('POST /analysis-templates', {
    request: async () => ({ json: written }),
    status: 201,
    body: analysisTemplate,
    has: { ...written, description: null, is_active: true },
    location: /\/analysis-templates\/[0-9a-f-]{36}$/,
  }),
  row('GET /analysis-templates/{template_id}', {
    request: async (tenant) => ({ params: [(await tenant.newAnalysisTemplate()).id] }),
    body: analysisTemplate,
  }),
  row('PATCH /analysis-templates/{template_id}', {
    request: async (tenant) => ({ params: [(await tenant.newAnalysisTemplate()).id], json: analysis }),
    body: analysisTemplate,
    has: analysis,
  }),
  row('DELETE /analysis-templates/{template_id}', {
    request: async (tenant) => ({ params: [(await tenant.newAnalysisTemplate()).id] }),
    body: success,
  }),
];
