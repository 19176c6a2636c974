import type { Migration } from './migration.ts';

/** Adds the number of stored webhooks of a call, from which each webhook gets its sequence number. */
export const webhookSequence: Migration = {
  version: 16,
  name: 'webhook-sequence',
  statements: ['alter table {schema}.calls add webhook_sequence bigint not null default 0'],
};
