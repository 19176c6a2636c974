import type { OperationTable } from './operation-table.ts';

/**
 * All operations of the API. Its type follows from the service's own table of routes, so that a missing, superfluous or
 * wrong operation does not compile.
 */
export const operations: OperationTable = {
  agents: {
    list: { at: 'GET /agents', takes: 'query', wrap: 'agents', pages: 'agents' },
    create: { at: 'POST /agents', takes: 'body', wrap: 'agent' },
    get: { at: 'GET /agents/:id', wrap: 'agent' },
    update: { at: 'PATCH /agents/:id', takes: 'body', wrap: 'agent' },
    addTool: { at: 'POST /agents/:id/tools', takes: 'body', wrap: 'agent' },
    tryTool: { at: 'POST /agents/:id/tools/try', takes: 'body' },
    delete: { at: 'DELETE /agents/:id', gives: 'nothing' },
  },
  toolTemplates: {
    list: { at: 'GET /tool-templates', takes: 'query', wrap: 'toolTemplates', pages: 'toolTemplates' },
    create: { at: 'POST /tool-templates', takes: 'body', wrap: 'toolTemplate' },
    get: { at: 'GET /tool-templates/:id', wrap: 'toolTemplate' },
    update: { at: 'PATCH /tool-templates/:id', takes: 'body', wrap: 'toolTemplate' },
    delete: { at: 'DELETE /tool-templates/:id', gives: 'nothing' },
  },
  numbers: {
    list: { at: 'GET /numbers', takes: 'query', wrap: 'numbers', pages: 'numbers' },
    register: { at: 'POST /numbers', takes: 'body', wrap: 'number' },
    get: { at: 'GET /numbers/:id', wrap: 'number' },
    update: { at: 'PATCH /numbers/:id', takes: 'body', wrap: 'number' },
    delete: { at: 'DELETE /numbers/:id', gives: 'nothing' },
  },
  calls: {
    list: { at: 'GET /calls', takes: 'query', pages: 'calls' },
    get: { at: 'GET /calls/:id' },
    delete: { at: 'DELETE /calls/:id', gives: 'nothing' },
    place: { at: 'POST /calls/outbound', takes: 'body' },
    createWebCall: { at: 'POST /calls/web', takes: 'body' },
    control: { at: 'POST /calls/:id/control', takes: 'body' },
    listen: { at: 'POST /calls/:id/listen' },
    takeOver: { at: 'POST /calls/:id/take-over' },
    events: { at: 'GET /calls/:id/events', gives: 'stream' },
    watch: { at: 'GET /events', gives: 'stream' },
    live: { at: 'GET /calls/live', takes: 'query', gives: 'stream' },
    recording: { at: 'GET /calls/:id/recording', takes: 'query', gives: 'stream' },
    peaks: { at: 'GET /calls/:id/recording/peaks', takes: 'query' },
  },
  usage: {
    list: { at: 'GET /usage', takes: 'query', pages: 'logs' },
  },
  statistics: {
    get: { at: 'GET /stats', takes: 'query' },
  },
  trunks: {
    list: { at: 'GET /sip-trunks', takes: 'query', wrap: 'trunks', pages: 'trunks' },
    create: { at: 'POST /sip-trunks', takes: 'body', wrap: 'trunk' },
    get: { at: 'GET /sip-trunks/:id', wrap: 'trunk' },
    healthOfAll: { at: 'GET /sip-trunks/health', wrap: 'trunks' },
    health: { at: 'GET /sip-trunks/:id/health', wrap: 'health' },
    update: { at: 'PATCH /sip-trunks/:id', takes: 'body', wrap: 'trunk' },
    delete: { at: 'DELETE /sip-trunks/:id', gives: 'nothing' },
  },
  voices: {
    list: { at: 'GET /voices' },
    sample: { at: 'POST /voices/sample', takes: 'body', gives: 'stream' },
  },
  byok: {
    list: { at: 'GET /byok', wrap: 'byok_keys' },
    set: { at: 'POST /byok', takes: 'body' },
    delete: { at: 'DELETE /byok', takes: 'body' },
    deleteOf: { at: 'DELETE /byok/:provider' },
    config: { at: 'GET /byok/config', wrap: 'providers' },
  },
  domains: {
    get: { at: 'GET /domains' },
    add: { at: 'POST /domains', takes: 'body' },
    delete: { at: 'DELETE /domains', gives: 'nothing' },
    available: { at: 'GET /domains/sync' },
    select: { at: 'POST /domains/sync', takes: 'body' },
    verify: { at: 'POST /domains/verify' },
    refresh: { at: 'POST /domains/refresh' },
  },
  webhookDeliveries: {
    list: { at: 'GET /webhook-deliveries', takes: 'query', pages: 'deliveries' },
    redeliver: { at: 'POST /webhook-deliveries/:id/redeliver', gives: 'nothing' },
    test: { at: 'POST /agents/:id/webhook/test' },
  },
  analysisTemplates: {
    list: { at: 'GET /analysis-templates', takes: 'query', pages: 'analysis_templates' },
    create: { at: 'POST /analysis-templates', takes: 'body' },
    get: { at: 'GET /analysis-templates/:template_id' },
    update: { at: 'PATCH /analysis-templates/:template_id', takes: 'body' },
    delete: { at: 'DELETE /analysis-templates/:template_id', gives: 'nothing' },
  },
  organizations: {
    get: { at: 'GET /organizations' },
  },
  campaigns: {
    list: { at: 'GET /campaigns', takes: 'query', wrap: 'campaigns', pages: 'campaigns' },
    create: { at: 'POST /campaigns', takes: 'body', wrap: 'campaign' },
    get: { at: 'GET /campaigns/:id', wrap: 'campaign' },
    events: { at: 'GET /campaigns/:id/events', gives: 'stream' },
    update: { at: 'PATCH /campaigns/:id', takes: 'body', wrap: 'campaign' },
    delete: { at: 'DELETE /campaigns/:id', gives: 'nothing' },
  },
  leads: {
    list: { at: 'GET /campaigns/:id/leads', takes: 'query', pages: 'leads' },
    add: { at: 'POST /campaigns/:id/leads', takes: 'body', wrap: 'lead' },
    addMany: { at: 'POST /campaigns/:id/leads/bulk', takes: 'body' },
    import: { at: 'POST /campaigns/:id/leads/import', takes: 'query' },
    export: { at: 'GET /campaigns/:id/leads/export', gives: 'stream' },
    remove: { at: 'DELETE /campaigns/:id/leads/:lead_id', gives: 'nothing' },
  },
  doNotCall: {
    list: { at: 'GET /do-not-call', takes: 'query', pages: 'do_not_call' },
    add: { at: 'POST /do-not-call', takes: 'body', wrap: 'entry' },
    delete: { at: 'DELETE /do-not-call/:id', gives: 'nothing' },
  },
  apiKeys: {
    list: { at: 'GET /api-keys', takes: 'query', wrap: 'api_keys', pages: 'api_keys' },
    create: { at: 'POST /api-keys', takes: 'body' },
    delete: { at: 'DELETE /api-keys/:id', gives: 'nothing' },
  },
  access: {
    get: { at: 'GET /access' },
  },
  publishableKeys: {
    list: { at: 'GET /publishable-keys', takes: 'query', wrap: 'publishable_keys', pages: 'publishable_keys' },
    create: { at: 'POST /publishable-keys', takes: 'body', wrap: 'publishable_key' },
    get: { at: 'GET /publishable-keys/:id', wrap: 'publishable_key' },
    update: { at: 'PATCH /publishable-keys/:id', takes: 'body', wrap: 'publishable_key' },
    delete: { at: 'DELETE /publishable-keys/:id', gives: 'nothing' },
  },
  nodes: {
    list: { at: 'GET /nodes' },
  },
  health: {
    get: { at: 'GET /health' },
  },
};
