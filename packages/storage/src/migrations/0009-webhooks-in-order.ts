import type { Migration } from './migration.ts';

/**
 * A row of the log is written as often as its indexes and once more. Most tell of what was delivered at once, so that only the others are
 * found by their status. The ids of webhooks go up with time: with them first, what is new goes to the end of their index, and not to as
 * many places as there are organizations. Nobody asks for what is pending of all organizations: that stands in jobs.
 */
export const webhooksInOrder: Migration = {
  version: 9,
  name: 'webhooks-in-order',
  statements: [
    `alter table {schema}.webhook_deliveries
      drop constraint webhook_deliveries_webhook_id_key,
      add constraint webhook_deliveries_webhook_id_key unique (webhook_id, org_id)`,
    'drop index {schema}.webhook_deliveries_newest',
    // With the status, so that those that were delivered are counted by it.
    `create index webhook_deliveries_newest on {schema}.webhook_deliveries (org_id, created_at desc, id desc)
      include (status)`,
    'drop index {schema}.webhook_deliveries_by_status',
    `create index webhook_deliveries_by_status on {schema}.webhook_deliveries (org_id, status, created_at desc, id desc)
      where delivered_at is null`,
    'drop index {schema}.webhook_deliveries_pending',
  ],
};
