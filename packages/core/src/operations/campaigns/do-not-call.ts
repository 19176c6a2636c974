import { z } from 'zod';
import { timestamp } from '../../clock/timestamp.ts';
import { type DoNotCallEntry, type NewDoNotCallEntry, newDoNotCallSchema } from '../../domain/campaigns/do-not-call.ts';
import { phoneNumberInputSchema } from '../../domain/numbers/phone-number.ts';
import type { Pagination } from '../../domain/records/pagination.ts';
import { UniqueViolation } from '../../errors.ts';
import { uuidv7 } from '../../ids.ts';
import { omitUndefined } from '../../input/omit-undefined.ts';
import { pageFields } from '../../input/page-query.ts';
import { parseInput } from '../../input/parse-input.ts';
import { checkId, notFound } from '../../input/require-found.ts';
import type { RecordDependencies } from '../dependencies.ts';

const querySchema = z.strictObject({ ...pageFields(1_000), phone_number: phoneNumberInputSchema.optional() });
/** Query of `GET /do-not-call`. */
export type DoNotCallQuery = z.input<typeof querySchema>;

/** Numbers that no campaign of an organization calls. Every method throws a `RequestError` 400 for invalid input. */
export interface DoNotCallOperations {
  /** Newest first. Query: `limit` (1–1000, default 100), `offset`, `phone_number`. */
  list(orgId: string, query?: DoNotCallQuery): Promise<{ do_not_call: DoNotCallEntry[]; pagination: Pagination }>;
  /** Input: `newDoNotCallSchema`. Leaves an existing entry unchanged. */
  add(orgId: string, input: NewDoNotCallEntry): Promise<DoNotCallEntry>;
  /** 404 `do_not_call_not_found`. */
  delete(orgId: string, id: string): Promise<void>;
}

/** Creates the operations on the do-not-call list; `createOperations` creates all groups. */
export function createDoNotCallOperations({ storage, clock, random }: RecordDependencies): DoNotCallOperations {
  return {
    async list(orgId, query = {}) {
      const { limit = 100, offset = 0, phone_number } = parseInput(querySchema, query);
      const filter = { where: omitUndefined({ phone_number }) };
      const [total, entries] = await Promise.all([
        storage.doNotCall.count(orgId, filter),
        storage.doNotCall.list(orgId, { ...filter, limit, offset }),
      ]);
      return { do_not_call: entries, pagination: { total, limit, offset } };
    },

    async add(orgId, input) {
      const { phone_number, reason = null } = parseInput(newDoNotCallSchema, input);
      const entry = { id: uuidv7(clock, random), phone_number, reason, created_at: timestamp(clock) };
      try {
        await storage.doNotCall.insert(orgId, entry);
        return entry;
      } catch (error) {
        if (!(error instanceof UniqueViolation)) throw error;
        const [known] = await storage.doNotCall.list(orgId, { where: { phone_number }, limit: 1 });
        return known ?? entry;
      }
    },

    async delete(orgId, id) {
      checkId('do_not_call', id);
      if (!(await storage.doNotCall.delete(orgId, id))) throw notFound('do_not_call', id);
    },
  };
}
