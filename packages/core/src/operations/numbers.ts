import { timestamp } from '../clock/timestamp.ts';
import type { Agent } from '../domain/agent.ts';
import {
  type PhoneNumber,
  type PhoneNumberRecord,
  registerNumberSchema,
  toE164,
  updateNumberSchema,
} from '../domain/phone-number.ts';
import { ReferenceViolation, RequestError, UniqueViolation } from '../errors.ts';
import { type RandomBytes, uuidv7 } from '../ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { Storage } from '../ports/storage.ts';
import { checkId, found, notFound } from './found.ts';
import { given } from './given.ts';
import { parsePage } from './page-query.ts';
import { invalidInput, parseInput } from './parse-input.ts';

/** Every method throws a `RequestError` for what the caller did wrong: 400 for the input, 404 `phone_number_not_found`. */
export interface PhoneNumberOperations {
  /** Input: `registerNumberSchema`. 409 `phone_number_exists` when it is registered anywhere in the deployment. */
  register(orgId: string, input: unknown): Promise<PhoneNumber>;
  get(orgId: string, id: string): Promise<PhoneNumber>;
  /** Newest first. Query: `limit` (1–1000, default 1000), `offset`. */
  list(orgId: string, query?: unknown): Promise<PhoneNumber[]>;
  /** Input: `updateNumberSchema`. Changes the given keys only. */
  update(orgId: string, id: string, input: unknown): Promise<PhoneNumber>;
  delete(orgId: string, id: string): Promise<void>;
}

export function createPhoneNumberOperations(deps: {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: RandomBytes;
}): PhoneNumberOperations {
  const { storage, clock, random } = deps;

  async function joined(orgId: string, record: PhoneNumberRecord): Promise<PhoneNumber> {
    const agent = record.agent_id === null ? null : await storage.agents.get(orgId, record.agent_id);
    return toPhoneNumber(record, agent);
  }

  return {
    async register(orgId, input) {
      const { phone_number: written, ...assignment } = given(parseInput(registerNumberSchema, input));
      checkTrunk(assignment.transfer_trunk_id);
      const now = timestamp(clock);
      const record: PhoneNumberRecord = {
        id: uuidv7(clock, random),
        number: parsePhoneNumber(written),
        name: null,
        agent_id: null,
        transfer_trunk_id: null,
        is_active: true,
        ...assignment,
        created_at: now,
        updated_at: now,
      };
      await storage.numbers.insert(orgId, record).catch((error: unknown) => {
        throw toRequestError(error, record);
      });
      return await joined(orgId, record);
    },

    async get(orgId, id) {
      checkId('phone_number', id);
      return await joined(orgId, found(await storage.numbers.get(orgId, id), 'phone_number', id));
    },

    async list(orgId, query = {}) {
      const records = await storage.numbers.list(orgId, parsePage(query));
      const agentIds = [...new Set(records.flatMap((record) => record.agent_id ?? []))];
      const agents = await Promise.all(agentIds.map((id) => storage.agents.get(orgId, id)));
      const byId = new Map(agents.flatMap((agent) => (agent === null ? [] : [[agent.id, agent]])));
      return records.map((record) => toPhoneNumber(record, byId.get(record.agent_id ?? '') ?? null));
    },

    async update(orgId, id, input) {
      checkId('phone_number', id);
      const changes = given(parseInput(updateNumberSchema, input));
      checkTrunk(changes.transfer_trunk_id);
      const updated = await storage.numbers
        .update(orgId, id, { ...changes, updated_at: timestamp(clock) })
        .catch((error: unknown) => {
          throw toRequestError(error, { agent_id: changes.agent_id ?? null });
        });
      return await joined(orgId, found(updated, 'phone_number', id));
    },

    async delete(orgId, id) {
      checkId('phone_number', id);
      if (!(await storage.numbers.delete(orgId, id))) throw notFound('phone_number', id);
    },
  };
}

function toPhoneNumber(record: PhoneNumberRecord, agent: Agent | null): PhoneNumber {
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
    transfer_trunk_name: null,
    is_active,
    created_at,
    updated_at,
  };
}

function parsePhoneNumber(written: string): string {
  const number = toE164(written);
  if (number !== null) return number;
  const message = 'expected an international number in E.164, such as +31201234567';
  throw invalidInput([{ path: 'phone_number', code: 'invalid_phone_number', message }]);
}

/** A transfer trunk has to exist, and this deployment keeps none. */
function checkTrunk(trunkId: string | null | undefined): void {
  if (trunkId) throw unknownReference('transfer_trunk_id', `there is no SIP trunk ${trunkId}`);
}

function unknownReference(path: string, message: string): RequestError {
  return invalidInput([{ path, code: 'invalid_reference', message }]);
}

function toRequestError(error: unknown, record: Partial<PhoneNumberRecord>): unknown {
  if (error instanceof ReferenceViolation) {
    return unknownReference('agent_id', `there is no agent ${record.agent_id}`);
  }
  if (!(error instanceof UniqueViolation)) return error;
  const message = `${record.number} is registered already.`;
  return new RequestError(409, 'phone_number_exists', message, [
    { path: 'phone_number', code: 'phone_number_exists', message },
  ]);
}
