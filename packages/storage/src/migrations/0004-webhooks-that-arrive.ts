import type { Migration } from './migration.ts';

/**
 * Adds the previous webhook secret of an agent, which stays valid for a grace period, and failing webhook endpoints.
 */
export const webhooksThatArrive: Migration = {
  version: 4,
  name: 'webhooks-that-arrive',
  statements: [
    'alter table {schema}.agents add column webhook_previous_secret text',
    'alter table {schema}.agents add column webhook_previous_secret_expires_at timestamptz(3)',
    `create table {schema}.webhook_endpoints (
      id uuid primary key,
      org_id uuid not null,
      url text not null,
      failing_since timestamptz(3) not null,
      disabled_at timestamptz(3),
      reason text,
      created_at timestamptz(3) not null,
      constraint webhook_endpoints_url_key unique (org_id, url)
    )`,
    'create index webhook_endpoints_newest on {schema}.webhook_endpoints (org_id, created_at desc, id desc)',
    'create index webhook_endpoints_oldest on {schema}.webhook_endpoints (created_at, id)',
  ],
};
