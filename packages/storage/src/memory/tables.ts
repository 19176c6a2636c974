import type { Agent, ApiKey, Call, Organization, PhoneNumberRecord } from '@va/core';

/** A record with its owner. Records in tables are never changed, only replaced. */
export interface Owned<T> {
  readonly orgId: string;
  readonly record: T;
}

export interface Tables {
  readonly organizations: Map<string, Owned<Organization>>;
  readonly apiKeys: Map<string, Owned<ApiKey>>;
  readonly agents: Map<string, Owned<Agent>>;
  readonly numbers: Map<string, Owned<PhoneNumberRecord>>;
  readonly calls: Map<string, Owned<Call>>;
}

export function emptyTables(): Tables {
  return { organizations: new Map(), apiKeys: new Map(), agents: new Map(), numbers: new Map(), calls: new Map() };
}

export function copyTables(tables: Tables): Tables {
  return {
    organizations: new Map(tables.organizations),
    apiKeys: new Map(tables.apiKeys),
    agents: new Map(tables.agents),
    numbers: new Map(tables.numbers),
    calls: new Map(tables.calls),
  };
}
