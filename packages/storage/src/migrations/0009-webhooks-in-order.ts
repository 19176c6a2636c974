import type { Migration } from './migration.ts';

/**
 * Reduces the indexes of the delivery log, which cost most of its writes. Most deliveries succeed at once, so only the
 * others are indexed by status. Webhook ids ascend with time: as the first column they append to the end of their
 * index. Pending deliveries of all organizations are found through the job queue.
 */
export const webhooksInOrder: Migration = {
  version: 9,
  name: 'webhooks-in-order',
  statements: [
    `alter table {schema}.webhook_deliveries
      drop constraint webhook_deliveries_webhook_id_key,
      add constraint webhook_deliveries_webhook_id_key unique (webhook_id, org_id)`,
    'drop index {schema}.webhook_deliveries_newest',
    // Includes the status, so that deliveries are counted from the index.
    `create index webhook_deliveries_newest on {schema}.webhook_deliveries (org_id, created_at desc, id desc)
      include (status)`,
    'drop index {schema}.webhook_deliveries_by_status',
    `create index webhook_deliveries_by_status on {schema}.webhook_deliveries (org_id, status, created_at desc, id desc)
      where delivered_at is null`,
    'drop index {schema}.webhook_deliveries_pending',
  ],
};
