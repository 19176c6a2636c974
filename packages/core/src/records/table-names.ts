/** Table of each collection, for adapters that keep tables. */
export const tableNames = {
  organizations: 'organizations',
  apiKeys: 'api_keys',
  publishableKeys: 'publishable_keys',
  agents: 'agents',
  trunks: 'sip_trunks',
  numbers: 'phone_numbers',
  calls: 'calls',
  callEvents: 'call_events',
  callCommands: 'call_commands',
  toolTemplates: 'tool_templates',
  analysisTemplates: 'analysis_templates',
  byokKeys: 'byok_keys',
  secrets: 'secrets',
  mailDomains: 'mail_domains',
  campaigns: 'campaigns',
  leads: 'leads',
  doNotCall: 'do_not_call',
  webhookDeliveries: 'webhook_deliveries',
  webhookEndpoints: 'webhook_endpoints',
  usageLogs: 'usage_logs',
  callStatistics: 'call_statistics',
  idempotency: 'idempotency_keys',
  webCallGrants: 'web_call_grants',
  supervisionGrants: 'supervision_grants',
} as const;

/** Name of a table. */
export type TableName = (typeof tableNames)[keyof typeof tableNames];
