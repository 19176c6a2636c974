import { outboundLine } from '../../calls/line/outbound-line.ts';
import { timestamp } from '../../clock/timestamp.ts';
import type { Agent } from '../../domain/agents/agent.ts';
import {
  type NewPhoneNumber,
  type PhoneNumber,
  type PhoneNumberChanges,
  type PhoneNumberRecord,
  registerNumberSchema,
  updateNumberSchema,
} from '../../domain/numbers/phone-number.ts';
import type { SipTrunkRecord } from '../../domain/numbers/sip-trunk.ts';
import { RequestError, UniqueViolation } from '../../errors.ts';
import { uuidv7 } from '../../ids.ts';
import { omitUndefined } from '../../input/omit-undefined.ts';
import { type PageQuery, parsePage } from '../../input/page-query.ts';
import { parseInput } from '../../input/parse-input.ts';
import { rethrowReference } from '../../input/references.ts';
import { checkId, notFound, requireFound } from '../../input/require-found.ts';
import type { Collection } from '../../ports/storage/collection.ts';
import type { Records } from '../../ports/storage/records.ts';
import type { StoredRecord } from '../../records/stored-record.ts';
import type { RecordDependencies } from '../dependencies.ts';

/** Every method throws a `RequestError` for invalid requests: 400 for the input, 404 `phone_number_not_found`. */
export interface PhoneNumberOperations {
  /**
   * Input: `registerNumberSchema`. 403 `number_not_allowed` if the host refuses it; 409 `phone_number_exists` if it is
   * registered anywhere in the deployment.
   */
  register(orgId: string, input: NewPhoneNumber): Promise<PhoneNumber>;
  get(orgId: string, id: string): Promise<PhoneNumber>;
  /** Newest first. Query: `limit` (1–1000, default 1000), `offset`. */
  list(orgId: string, query?: PageQuery): Promise<PhoneNumber[]>;
  /** Input: `updateNumberSchema`. Changes the given keys only. */
  update(orgId: string, id: string, input: PhoneNumberChanges): Promise<PhoneNumber>;
  /** 409 `number_in_use` while a running campaign dials from it. */
  delete(orgId: string, id: string): Promise<void>;
}

/**
 * Decides whether an organization may register a phone number, for example by a list of the host. By default every
 * organization may register every free number.
 */
export type MayUseNumber = (orgId: string, number: string) => boolean | Promise<boolean>;

export interface PhoneNumberDependencies extends RecordDependencies {
  readonly mayUseNumber?: MayUseNumber | undefined;
}

/** Creates the operations on phone numbers; `createOperations` creates all groups. */
export function createPhoneNumberOperations(deps: PhoneNumberDependencies): PhoneNumberOperations {
  const { storage, clock, random, mayUseNumber = () => true } = deps;

  /** Adds the names of the referenced records. */
  async function joined(orgId: string, records: readonly PhoneNumberRecord[]): Promise<PhoneNumber[]> {
    const [agents, trunks] = await Promise.all([
      byId(
        storage.agents,
        orgId,
        records.map((record) => record.agent_id),
      ),
      byId(
        storage.trunks,
        orgId,
        records.map((record) => record.transfer_trunk_id),
      ),
    ]);
    return records.map((record) =>
      toPhoneNumber(record, agents.get(record.agent_id ?? ''), trunks.get(record.transfer_trunk_id ?? '')),
    );
  }

  async function joinedOne(orgId: string, record: PhoneNumberRecord): Promise<PhoneNumber> {
    const [number] = await joined(orgId, [record]);
    return number ?? toPhoneNumber(record, undefined, undefined);
  }

  return {
    async register(orgId, input) {
      const { phone_number: number, ...assignment } = omitUndefined(parseInput(registerNumberSchema, input));
      if (!(await mayUseNumber(orgId, number))) throw notAllowed(number);
      const now = timestamp(clock);
      const record: PhoneNumberRecord = {
        id: uuidv7(clock, random),
        number,
        name: null,
        agent_id: null,
        transfer_trunk_id: null,
        is_active: true,
        ...assignment,
        created_at: now,
        updated_at: now,
      };
      await storage.numbers.insert(orgId, record).catch((error: unknown) => {
        if (error instanceof UniqueViolation) throw alreadyRegistered(number);
        rethrowReference(error, record);
      });
      return await joinedOne(orgId, record);
    },

    async get(orgId, id) {
      checkId('phone_number', id);
      return await joinedOne(orgId, requireFound(await storage.numbers.get(orgId, id), 'phone_number', id));
    },

    async list(orgId, query = {}) {
      return await joined(orgId, await storage.numbers.list(orgId, parsePage(query)));
    },

    async update(orgId, id, input) {
      checkId('phone_number', id);
      const changes = { ...omitUndefined(parseInput(updateNumberSchema, input)), updated_at: timestamp(clock) };
      const updated = await storage.numbers
        .update(orgId, id, changes)
        .catch((error: unknown) => rethrowReference(error, changes));
      return await joinedOne(orgId, requireFound(updated, 'phone_number', id));
    },

    async delete(orgId, id) {
      checkId('phone_number', id);
      const deleted = await storage.transaction(async (tx) => {
        if (await isDialedFrom(tx, orgId, id)) {
          throw new RequestError(409, 'number_in_use', 'A running campaign dials from the number: pause it first.');
        }
        return await tx.numbers.delete(orgId, id);
      });
      if (!deleted) throw notFound('phone_number', id);
    },
  };
}

/** Returns true if a running campaign dials from the number: as its `number_id`, or as selected by `outboundLine`. */
async function isDialedFrom(records: Records, orgId: string, numberId: string): Promise<boolean> {
  const running = await records.campaigns.list(orgId, { where: { status: 'running' }, limit: 1_000 });
  if (running.some((campaign) => campaign.number_id === numberId)) return true;
  const agentIds = new Set(running.flatMap((campaign) => (campaign.number_id === null ? [campaign.agent_id] : [])));
  for (const agentId of agentIds) {
    const line = await outboundLine(records, orgId, { numberId: null, agentId }).catch(() => null);
    if (line?.number.id === numberId) return true;
  }
  return false;
}

async function byId<R extends StoredRecord>(
  collection: Collection<R>,
  orgId: string,
  ids: readonly (string | null)[],
): Promise<Map<string, R>> {
  const wanted = [...new Set(ids.flatMap((id) => id ?? []))];
  const records = await Promise.all(wanted.map((id) => collection.get(orgId, id)));
  return new Map(records.flatMap((record) => (record === null ? [] : [[record.id, record]])));
}

function toPhoneNumber(
  record: PhoneNumberRecord,
  agent: Agent | undefined,
  trunk: SipTrunkRecord | undefined,
): PhoneNumber {
  const { id, number, name, agent_id, transfer_trunk_id, is_active, created_at, updated_at } = record;
  return {
    id,
    number,
    phone_number: number,
    name,
    agent_id,
    agent_name: agent?.name ?? null,
    business_name: agent?.business_name ?? null,
    transfer_trunk_id,
    transfer_trunk_name: trunk?.name ?? null,
    is_active,
    created_at,
    updated_at,
  };
}

function notAllowed(number: string): RequestError {
  return new RequestError(403, 'number_not_allowed', `${number} is not assigned to this organization.`);
}

function alreadyRegistered(number: string): RequestError {
  const message = `${number} is registered already.`;
  return new RequestError(409, 'phone_number_exists', message, [
    { path: 'phone_number', code: 'phone_number_exists', message },
  ]);
}
