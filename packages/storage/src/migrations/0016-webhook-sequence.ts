import type { Migration } from './migration.ts';

/** Counts the stored webhooks of a call, so that each has a place in their order. */
export const webhookSequence: Migration = {
  version: 16,
  name: 'webhook-sequence',
  statements: ['alter table {schema}.calls add webhook_sequence bigint not null default 0'],
};
