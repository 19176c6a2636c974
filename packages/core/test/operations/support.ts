import { memory } from '@va/storage/memory';
import { ScriptedWebhooks, VirtualClock } from '@va/testkit';
import { timestamp } from '../../src/clock/timestamp.ts';
import type { OrganizationRecord } from '../../src/domain/accounts/organization.ts';
import { RequestError } from '../../src/errors.ts';
import { createOperations, type Operations, type OperationsDependencies } from '../../src/operations/operations.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { RecordingStore } from '../../src/ports/recordings.ts';
import type { Storage } from '../../src/ports/storage/storage.ts';

export const orgId = '00000000-0000-7000-8000-00000000000a';
export const otherOrgId = '00000000-0000-7000-8000-00000000000b';
export const unknownId = '00000000-0000-7000-8000-0000000000ff';

const noRecordings: RecordingStore = {
  create: () => Promise.reject(new Error('this store does not record')),
  open: async () => null,
  delete: async () => false,
};

/**
 * Creates the operations on in-memory storage, with a virtual clock and counting bytes as the random source; `parts`
 * overrides or adds dependencies.
 */
export function testOperations(parts: Partial<OperationsDependencies> = {}): {
  operations: Operations;
  storage: Storage;
  clock: VirtualClock;
} {
  const clock = new VirtualClock();
  const storage = memory();
  let next = 0;
  const random = (count: number): Uint8Array => {
    const bytes = new Uint8Array(count);
    for (let at = 0; at < count; at += 1) bytes[at] = next++;
    return bytes;
  };
  const webhooks = new ScriptedWebhooks();
  const operations = createOperations({ storage, recordings: noRecordings, webhooks, clock, random, ...parts });
  return { operations, storage, clock };
}

/** Returns the error that the operation is rejected with. */
export async function refusal(work: Promise<unknown>): Promise<RequestError> {
  const thrown = await work.then(
    () => new Error('expected the operation to be rejected'),
    (error: unknown) => error,
  );
  if (thrown instanceof RequestError) return thrown;
  throw thrown;
}

/** Formats each fault as `path code`. */
export function faultsOf(error: RequestError): string[] {
  return error.faults.map(({ path, code }) => (path === '' ? code : `${path} ${code}`));
}

/** Returns an organization without limits. */
export function organizationOf(id: string, clock: Clock): OrganizationRecord {
  return {
    id,
    name: 'Harbour',
    plan: 'self-hosted',
    minutes_balance: null,
    credit_balance: null,
    local_models_approved: false,
    concurrency_limit: null,
    dial_policy: null,
    content_retention_days: null,
    metadata_retention_days: null,
    webhook_url: null,
    webhook_secret: null,
    webhook_previous_secret: null,
    webhook_previous_secret_expires_at: null,
    sealing_key_id: null,
    created_at: timestamp(clock),
  };
}
