import { z } from 'zod';
import { timestamp } from '../../clock/timestamp.ts';
import { budgetFaults } from '../../costs/budget-faults.ts';
import type { Organization, OrganizationRecord } from '../../domain/accounts/organization.ts';
import { dialPolicySchema } from '../../domain/numbers/dial-policy.ts';
import { httpUrlSchema } from '../../domain/records/http-url.ts';
import { RequestError, UniqueViolation } from '../../errors.ts';
import { uuidv7 } from '../../ids.ts';
import { omitUndefined } from '../../input/omit-undefined.ts';
import { invalidInput, parseInput } from '../../input/parse-input.ts';
import { checkId, requireFound } from '../../input/require-found.ts';
import { enableAgain } from '../../webhooks/endpoint-health.ts';
import { newWebhookSecret } from '../../webhooks/new-webhook-secret.ts';
import { rotated } from '../../webhooks/secret-rotation.ts';
import type { RecordDependencies } from '../dependencies.ts';

/**
 * Id of the organization that `ensureDefault` creates. It is fixed, so that two nodes that start concurrently create
 * only one organization.
 */
export const defaultOrganizationId = '00000000-0000-7000-8000-000000000001';

const organizationFields = {
  name: z.string().trim().min(1).max(200),
  plan: z.string().trim().min(1).max(100),
  minutes_balance: z.number().nullable(),
  credit_balance: z.number().nullable(),
  local_models_approved: z.boolean(),
  concurrency_limit: z.int().min(1).nullable(),
  dial_policy: dialPolicySchema.nullable(),
  content_retention_days: z.int().min(0).max(36_500).nullable(),
  metadata_retention_days: z.int().min(0).max(36_500).nullable(),
  webhook_url: httpUrlSchema.nullable(),
  webhook_secret: z.string().min(1).max(500).nullable(),
};

const updateOrganizationSchema = z.strictObject(organizationFields).partial();
const createOrganizationSchema = z
  .strictObject({ id: z.uuid(), ...organizationFields })
  .partial()
  .required({ name: true });

/** Changes of an organization. */
export type OrganizationChanges = z.input<typeof updateOrganizationSchema>;
/** An organization to create. */
export type NewOrganization = z.input<typeof createOrganizationSchema>;

/** Organizations are managed by the host: only `get` has a route in the API. */
export interface OrganizationOperations {
  /** Returns the oldest organization; creates one if there is none. For deployments with a single tenant. */
  ensureDefault(): Promise<OrganizationRecord>;
  /**
   * Input: `name`, and optionally other fields of `OrganizationRecord`, including an `id` chosen by the host. The plan
   * is `self-hosted` by default; a `credit_balance` needs prices of the host; the `webhook_secret` is generated. 409
   * `organization_exists` if the id is taken.
   */
  create(input: NewOrganization): Promise<OrganizationRecord>;
  /**
   * Changes the given fields of `OrganizationRecord`. After a change of `webhook_secret`, webhooks are signed with the
   * old and the new secret for 24 hours. 404 `organization_not_found`.
   */
  update(orgId: string, input: OrganizationChanges): Promise<OrganizationRecord>;
  /** Returns the organization as the API shows it to the organization itself. 404 `organization_not_found`. */
  get(orgId: string): Promise<Organization>;
}

const defaults: Omit<OrganizationRecord, 'id' | 'name' | 'webhook_secret' | 'created_at'> = {
  plan: 'self-hosted',
  minutes_balance: null,
  credit_balance: null,
  local_models_approved: false,
  concurrency_limit: null,
  dial_policy: null,
  content_retention_days: null,
  metadata_retention_days: null,
  webhook_url: null,
  webhook_previous_secret: null,
  webhook_previous_secret_expires_at: null,
  sealing_key_id: null,
};

/** Creates the operations on organizations; `createOperations` creates all groups. */
export function createOrganizationOperations(deps: RecordDependencies): OrganizationOperations {
  const { storage, clock, random, currency } = deps;
  const checkCredit = ({ credit_balance: credit }: Partial<OrganizationRecord>): void => {
    const faults = budgetFaults('credit_balance', credit, currency);
    if (faults.length > 0) throw invalidInput(faults);
  };
  return {
    async ensureDefault() {
      const [oldest] = await storage.across.organizations.find({}, 1);
      if (oldest !== undefined) return oldest.record;
      const organization: OrganizationRecord = {
        id: defaultOrganizationId,
        name: 'Default',
        ...defaults,
        webhook_secret: newWebhookSecret(random),
        created_at: timestamp(clock),
      };
      try {
        await storage.organizations.insert(organization.id, organization);
        return organization;
      } catch (error) {
        if (!(error instanceof UniqueViolation)) throw error;
        return (await storage.organizations.get(defaultOrganizationId, defaultOrganizationId)) ?? organization;
      }
    },

    async create(input) {
      const written = omitUndefined(parseInput(createOrganizationSchema, input));
      checkCredit(written);
      const organization: OrganizationRecord = {
        id: uuidv7(clock, random),
        ...defaults,
        webhook_secret: newWebhookSecret(random),
        ...written,
        created_at: timestamp(clock),
      };
      await storage.organizations.insert(organization.id, organization).catch((error: unknown) => {
        if (!(error instanceof UniqueViolation)) throw error;
        throw new RequestError(409, 'organization_exists', `The organization ${organization.id} exists already.`);
      });
      return organization;
    },

    async update(orgId, input) {
      checkId('organization', orgId);
      const changes = omitUndefined(parseInput(updateOrganizationSchema, input));
      checkCredit(changes);
      const updated = await storage.transaction(async (tx) => {
        if (changes.webhook_url !== undefined) await enableAgain(tx, orgId, changes.webhook_url);
        const before = requireFound(await tx.organizations.get(orgId, orgId), 'organization', orgId);
        return await tx.organizations.update(orgId, orgId, { ...changes, ...rotated(changes, before, clock) });
      });
      return requireFound(updated, 'organization', orgId);
    },

    async get(orgId) {
      checkId('organization', orgId);
      const record = requireFound(await storage.organizations.get(orgId, orgId), 'organization', orgId);
      const live = { where: { status: { in: ['queued', 'connecting', 'in-progress'] as const } } };
      const thisMonth = { where: { created_at: { gte: monthStart(clock.wallMs()) } } };
      const [usage, numbers, agents, calls] = await Promise.all([
        storage.usageLogs.sum(orgId, ['duration_seconds'], thisMonth),
        storage.numbers.count(orgId, { where: { is_active: true } }),
        storage.agents.count(orgId, { where: { is_active: true } }),
        storage.calls.count(orgId, live),
      ]);
      return {
        id: record.id,
        name: record.name,
        plan: record.plan,
        minutes_balance: record.minutes_balance,
        credit_balance: record.credit_balance,
        monthly_usage_minutes: Math.round((usage.duration_seconds / 60) * 100) / 100,
        active_numbers: numbers,
        active_agents: agents,
        active_calls: calls,
        has_local_models_access: hasLocalModelsAccess(record),
        concurrency: { limit: record.concurrency_limit, active: calls },
        webhook_url: record.webhook_url,
        created_at: record.created_at,
      };
    },
  };
}

/** Returns true if the host approved the organization for its local voices and models, and its plan is `enterprise`. */
export function hasLocalModelsAccess(organization: OrganizationRecord): boolean {
  return organization.plan === 'enterprise' && organization.local_models_approved;
}

function monthStart(wallMs: number): string {
  const now = new Date(wallMs);
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth())).toISOString();
}
