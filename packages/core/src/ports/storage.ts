import type { Agent } from '../domain/agent.ts';
import type { ApiKey } from '../domain/api-key.ts';
import type { Call, CallDirection, CallStatus, EndReason } from '../domain/call.ts';
import type { Organization } from '../domain/organization.ts';
import type { PhoneNumberRecord } from '../domain/phone-number.ts';

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** All given conditions hold; times are on `created_at`, half-open. */
export interface CallFilter {
  readonly statuses?: readonly CallStatus[];
  readonly createdFrom?: string;
  readonly createdBefore?: string;
  readonly agentId?: string;
  readonly numberId?: string;
  readonly campaignId?: string;
  readonly direction?: CallDirection;
  /** Either party's number. */
  readonly phone?: string;
  readonly endReason?: EndReason;
}

export interface OrganizationRepository {
  insert(organization: Organization): Promise<void>;
  get(orgId: string): Promise<Organization | null>;
  list(): Promise<Organization[]>;
}

export interface ApiKeyRepository {
  insert(key: ApiKey): Promise<void>;
  /** Looks in all organizations: the key decides the organization. */
  findByHash(hash: string): Promise<ApiKey | null>;
  list(orgId: string): Promise<ApiKey[]>;
}

/** Lists are newest first by `created_at`, then `id`, both descending. */
export interface AgentRepository {
  insert(orgId: string, agent: Agent): Promise<void>;
  get(orgId: string, id: string): Promise<Agent | null>;
  list(orgId: string, page: Page): Promise<Agent[]>;
  /** Replaces the given keys; null where there is no such agent. */
  update(orgId: string, id: string, changes: Partial<Omit<Agent, 'id'>>): Promise<Agent | null>;
  /** False where there is no such agent. Numbers that still name it get `agent_id` null in the same step. */
  delete(orgId: string, id: string): Promise<boolean>;
}

export interface PhoneNumberRepository {
  /**
   * Throws `UniqueViolation('number')` when the number is registered anywhere in the deployment, and, like `update`,
   * `ReferenceViolation('agent_id')` when the organization has no such agent.
   */
  insert(orgId: string, number: PhoneNumberRecord): Promise<void>;
  get(orgId: string, id: string): Promise<PhoneNumberRecord | null>;
  list(orgId: string, page: Page): Promise<PhoneNumberRecord[]>;
  update(orgId: string, id: string, changes: Partial<Omit<PhoneNumberRecord, 'id'>>): Promise<PhoneNumberRecord | null>;
  delete(orgId: string, id: string): Promise<boolean>;
  /** Sets `agent_id` to null on every number of the agent. */
  unassignAgent(orgId: string, agentId: string, updatedAt: string): Promise<void>;
  /** Inbound routing: looks in all organizations. */
  findByNumber(number: string): Promise<{ orgId: string; number: PhoneNumberRecord } | null>;
}

export interface CallRepository {
  insert(orgId: string, call: Call): Promise<void>;
  get(orgId: string, id: string): Promise<Call | null>;
  list(orgId: string, filter: CallFilter, page: Page): Promise<{ calls: Call[]; total: number }>;
  /**
   * Replaces the given keys if the call's status is one of `expected` at that moment (compare and set, one atomic
   * step); null where it is not, or where there is no such call.
   */
  update(
    orgId: string,
    id: string,
    expected: readonly CallStatus[],
    changes: Partial<Omit<Call, 'id'>>,
  ): Promise<Call | null>;
}

export interface Repositories {
  readonly organizations: OrganizationRepository;
  readonly apiKeys: ApiKeyRepository;
  readonly agents: AgentRepository;
  readonly numbers: PhoneNumberRepository;
  readonly calls: CallRepository;
}

/**
 * Where the records live. Every tenant method takes the organization first. An implementation MUST store timestamps
 * to the millisecond and texts of any Unicode scalar values (but U+0000 and lone surrogates, which it replaces by U+FFFD, so
 * that no odd text loses a record), and MUST NOT return an object that it shares with a later answer. Inserting an id
 * that is taken throws `UniqueViolation('id')`.
 */
export interface Storage extends Repositories {
  /** Connects, and brings the schema up to date or refuses, as the adapter's `migrations` setting says. */
  start(): Promise<void>;
  close(): Promise<void>;
  /** Runs all of `work` or nothing of it; rolls back when it throws. Nesting is refused. */
  transaction<T>(work: (tx: Repositories) => Promise<T>): Promise<T>;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
}
