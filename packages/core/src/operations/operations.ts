import type { RandomBytes } from '../ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { RecordingStore } from '../ports/recordings.ts';
import type { Storage } from '../ports/storage.ts';
import { type AgentOperations, createAgentOperations } from './agents.ts';
import { type ApiKeyOperations, createApiKeyOperations } from './api-keys.ts';
import { type CallOperations, createCallOperations } from './calls.ts';
import { createPhoneNumberOperations, type PhoneNumberOperations } from './numbers.ts';
import { createOrganizationOperations, type OrganizationOperations } from './organizations.ts';

/** What the API does, without HTTP: each tenant operation takes the organization first. */
export interface Operations {
  readonly agents: AgentOperations;
  readonly numbers: PhoneNumberOperations;
  readonly calls: CallOperations;
  readonly apiKeys: ApiKeyOperations;
  readonly organizations: OrganizationOperations;
}

export interface OperationsDependencies {
  readonly storage: Storage;
  readonly recordings: RecordingStore;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

export function createOperations(deps: OperationsDependencies): Operations {
  return {
    agents: createAgentOperations(deps),
    numbers: createPhoneNumberOperations(deps),
    calls: createCallOperations(deps),
    apiKeys: createApiKeyOperations(deps),
    organizations: createOrganizationOperations(deps),
  };
}
