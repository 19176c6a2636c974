import { timestamp } from '../clock/timestamp.ts';
import type { IdempotencyRecord } from '../domain/idempotency-record.ts';
import { UniqueViolation } from '../errors.ts';
import { uuidv7 } from '../ids.ts';
import type { Vault } from '../ports/vault.ts';
import type { RecordDependencies } from './dependencies.ts';

const keptMs = 24 * 3_600_000;
/** A request that has not been answered for so long is taken to be lost with its process. */
const leaseMs = 60_000;
const purgeBatch = 500;

/** An answer to a request, as it is given again. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The first request with a key: carry it out, then say what became of it. */
export interface FirstRequest {
  readonly state: 'new';
  /** Keeps the answer. One with a secret in it is kept in the vault, and without a vault not at all. */
  finish(answer: KeptAnswer, options: { readonly hasSecret: boolean }): Promise<void>;
  /** Forgets the request, so that it can be made again. */
  abandon(): Promise<void>;
}

export type IdempotentRequest =
  | FirstRequest
  | { readonly state: 'replay'; readonly answer: KeptAnswer }
  /** The same request is being carried out now. */
  | { readonly state: 'running' }
  /** The key was used with another body. */
  | { readonly state: 'other_body' };

/** What became of requests with an `Idempotency-Key`, for 24 hours. */
export interface IdempotencyStore {
  /** `scope` is method and path; `fingerprint` a digest of the body. */
  begin(orgId: string, request: { scope: string; key: string; fingerprint: string }): Promise<IdempotentRequest>;
  /** Deletes what is older than 24 hours; returns how many. */
  purge(): Promise<number>;
}

export function createIdempotencyStore(
  deps: RecordDependencies & { readonly vault?: Vault | undefined },
): IdempotencyStore {
  const { storage, vault, clock, random } = deps;
  const instant = (aheadMs: number): string => new Date(clock.wallMs() + aheadMs).toISOString();

  function first(orgId: string, id: string): FirstRequest {
    return {
      state: 'new',

      async finish(answer, { hasSecret }) {
        if (!hasSecret) {
          await storage.idempotency.update(orgId, id, { answer: { ...answer }, leased_until: null });
          return;
        }
        if (vault === undefined) {
          await storage.idempotency.delete(orgId, id);
          return;
        }
        await storage.transaction(async (tx) => {
          const secretId = uuidv7(clock, random);
          await vault.put({ orgId, id: secretId, value: JSON.stringify(answer) }, tx);
          await tx.idempotency.update(orgId, id, { answer_secret_id: secretId, leased_until: null });
        });
      },

      async abandon() {
        await storage.idempotency.delete(orgId, id);
      },
    };
  }

  async function keptAnswer(orgId: string, record: IdempotencyRecord): Promise<KeptAnswer | null> {
    if (record.answer !== null) return record.answer as unknown as KeptAnswer;
    if (record.answer_secret_id === null) return null;
    const sealed = await vault?.get({ orgId, id: record.answer_secret_id }, storage);
    return sealed == null ? null : (JSON.parse(sealed) as KeptAnswer);
  }

  /** What to do about a key that is taken; null where it has become free, so that the request can try again. */
  async function again(
    orgId: string,
    record: IdempotencyRecord,
    fingerprint: string,
  ): Promise<IdempotentRequest | null> {
    if (Date.parse(record.expires_at) <= clock.wallMs()) {
      await storage.idempotency.delete(orgId, record.id, { expires_at: record.expires_at });
      return null;
    }
    if (record.fingerprint !== fingerprint) return { state: 'other_body' };
    const answer = await keptAnswer(orgId, record);
    if (answer !== null) return { state: 'replay', answer };
    if (record.leased_until !== null && Date.parse(record.leased_until) > clock.wallMs()) return { state: 'running' };
    const taken = await storage.idempotency.update(
      orgId,
      record.id,
      { leased_until: instant(leaseMs) },
      { leased_until: record.leased_until },
    );
    return taken === null ? { state: 'running' } : first(orgId, record.id);
  }

  return {
    async begin(orgId, { scope, key, fingerprint }) {
      for (;;) {
        const record: IdempotencyRecord = {
          id: uuidv7(clock, random),
          scope,
          key,
          fingerprint,
          leased_until: instant(leaseMs),
          answer: null,
          answer_secret_id: null,
          expires_at: instant(keptMs),
          created_at: timestamp(clock),
        };
        try {
          await storage.idempotency.insert(orgId, record);
          return first(orgId, record.id);
        } catch (error) {
          if (!(error instanceof UniqueViolation)) throw error;
        }
        const [existing] = await storage.idempotency.list(orgId, { where: { scope, key }, limit: 1 });
        const outcome = existing === undefined ? null : await again(orgId, existing, fingerprint);
        if (outcome !== null) return outcome;
      }
    },

    async purge() {
      const expired = { where: { expires_at: { lt: timestamp(clock) } } };
      let purged = 0;
      for (;;) {
        const batch = await storage.across.idempotency.find(expired, purgeBatch);
        if (batch.length === 0) return purged;
        for (const { orgId, record } of batch) {
          const { id, answer_secret_id: secretId } = record;
          if (secretId !== null) await vault?.delete({ orgId, id: secretId }, storage);
          await storage.idempotency.delete(orgId, id);
        }
        purged += batch.length;
      }
    },
  };
}
