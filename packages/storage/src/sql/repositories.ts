import type { Repositories } from '@va/core';
import type { Kysely } from 'kysely';
import { agentRepository } from './agents.ts';
import { apiKeyRepository } from './api-keys.ts';
import { callRepository } from './calls.ts';
import type { Database } from './database.ts';
import { phoneNumberRepository } from './numbers.ts';
import { organizationRepository } from './organizations.ts';

/** The database, or the transaction, that a repository works on; asked for at each call. */
export type Connection = () => Kysely<Database>;

export function sqlRepositories(db: Connection): Repositories {
  return {
    organizations: organizationRepository(db),
    apiKeys: apiKeyRepository(db),
    agents: agentRepository(db),
    numbers: phoneNumberRepository(db),
    calls: callRepository(db),
  };
}
