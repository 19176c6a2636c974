import type { Migration } from './migration.ts';

/**
 * The ids of webhooks go up with time: with them first, what is new goes to the end of the index, and not to as many places as there are
 * organizations. Nobody asks for what is pending of all organizations: that stands in jobs.
 */
export const webhooksInOrder: Migration = {
  version: 9,
  name: 'webhooks-in-order',
  statements: [
    `alter table {schema}.webhook_deliveries
      drop constraint webhook_deliveries_webhook_id_key,
      add constraint webhook_deliveries_webhook_id_key unique (webhook_id, org_id)`,
    'drop index {schema}.webhook_deliveries_pending',
  ],
};
