import type { Migration } from './migration.ts';

/** Adds the nodes that run calls, so that other nodes can reach a call or end it. */
export const severalNodes: Migration = {
  version: 6,
  name: 'several-nodes',
  statements: [
    `create table {schema}.nodes (
      id uuid primary key,
      name text not null,
      started_at timestamptz(3) not null default now(),
      expires_at timestamptz(3) not null,
      lost_at timestamptz(3),
      is_draining boolean not null,
      calls bigint not null,
      seats bigint not null default 0
    )`,
    // Ended calls have no node, so that the index stays as small as the number of live calls.
    'alter table {schema}.calls add node_id uuid',
    'create index calls_of_node on {schema}.calls (node_id) where node_id is not null',
    'alter table {schema}.call_commands add node_id uuid, add traceparent text',
    `create index call_commands_of_node on {schema}.call_commands (node_id, created_at, id)
      where node_id is not null`,
    // Order in which the events of an organization are read.
    'create index call_events_of_organization on {schema}.call_events (org_id, created_at, id)',
  ],
};
