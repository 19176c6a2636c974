import {
  type Agent,
  type ApiKey,
  agentSchema,
  apiKeySchema,
  type Call,
  callSchema,
  type Organization,
  organizationSchema,
  type PhoneNumberRecord,
} from '@va/core';
import type { ColumnType } from 'kysely';

type Json<V> = ColumnType<V, string | Extract<V, null>, string | Extract<V, null>>;
type Instant<V> = ColumnType<Date | Extract<V, null>, V, V>;

type Column<K, V> = K extends `${string}_at` ? Instant<V> : NonNullable<V> extends object ? Json<V> : V;

/** A table whose columns are the fields of a record, and its owner. */
export type Table<T> = { [K in keyof T]: Column<K, T[K]> } & { org_id: string };

export interface Database {
  organizations: Omit<Table<Organization>, 'org_id'>;
  api_keys: Table<ApiKey>;
  agents: Table<Agent>;
  phone_numbers: Table<PhoneNumberRecord>;
  calls: Table<Call>;
}

function columnsOf<T>(schema: { readonly shape: { readonly [K in keyof T]: unknown } }): (keyof T & string)[] {
  return Object.keys(schema.shape) as (keyof T & string)[];
}

/** Read by name, so that a column added by a later version stays out of the records of this one. */
export const columns: {
  readonly organizations: (keyof Organization)[];
  readonly apiKeys: (keyof ApiKey)[];
  readonly agents: (keyof Agent)[];
  readonly numbers: (keyof PhoneNumberRecord)[];
  readonly calls: (keyof Call)[];
} = {
  organizations: columnsOf<Organization>(organizationSchema),
  apiKeys: columnsOf<ApiKey>(apiKeySchema),
  agents: columnsOf<Agent>(agentSchema),
  numbers: ['id', 'number', 'name', 'agent_id', 'transfer_trunk_id', 'is_active', 'created_at', 'updated_at'],
  calls: columnsOf<Call>(callSchema),
};
