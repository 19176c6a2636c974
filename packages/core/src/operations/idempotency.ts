import { timestamp } from '../clock/timestamp.ts';
import type { IdempotencyRecord } from '../domain/records/idempotency-record.ts';
import { UniqueViolation } from '../errors.ts';
import { uuidv7 } from '../ids.ts';
import type { Vault } from '../ports/vault.ts';
import type { RecordDependencies } from './dependencies.ts';

const keptMs = 24 * 3_600_000;
/** Time without a response after which the process of a request counts as dead. */
const leaseMs = 60_000;
const purgeBatch = 500;

/** A response stored for replays. */
export interface StoredAnswer {
  readonly status: number;
  readonly contentType: string;
  /** Path below `/api/v1`, such as `/agents/0190…`; null without one. */
  readonly location: string | null;
  readonly body: string;
  /** True if the body contains a new secret: it is stored in the vault, and not at all without a vault. */
  readonly secret: boolean;
  /** True if the body contains a secret of a record: it is stored in the vault if there is one. */
  readonly showsSecrets?: boolean;
}

/** State of a request with an `Idempotency-Key`. */
export type IdempotencyState =
  | {
      /** The first request with this key: the caller MUST call `finish` or `abandon`. */
      readonly state: 'new';
      /** Stores the response for replays. */
      finish(answer: StoredAnswer): Promise<void>;
      /** Frees the key, so that the request can be repeated. */
      abandon(): Promise<void>;
    }
  | { readonly state: 'replay'; readonly answer: StoredAnswer }
  | { readonly state: 'running' }
  | { readonly state: 'other_body' };

/** Stores the responses to requests with an `Idempotency-Key` for 24 hours. */
export interface IdempotencyStore {
  /**
   * Begins a request. Of several concurrent requests with the same key, on any node, exactly one gets `new`.
   * @param scope method and path, such as `POST /calls/outbound`
   * @param fingerprint of the body; a different one under the same key gives `other_body`
   */
  begin(orgId: string, scope: string, key: string, fingerprint: string): Promise<IdempotencyState>;
  /** Deletes responses older than 24 hours; returns their number. */
  purge(): Promise<number>;
}

/** Creates the store of responses to requests with an `Idempotency-Key`. */
export function createIdempotencyStore(
  deps: RecordDependencies & { readonly vault?: Vault | undefined },
): IdempotencyStore {
  const { storage, vault, clock, random } = deps;
  const instant = (aheadMs: number): string => new Date(clock.wallMs() + aheadMs).toISOString();

  /** Returns the state `new`. If another request takes over the lease, `finish` and `abandon` change nothing. */
  function first(orgId: string, id: string, leasedUntil: string): IdempotencyState {
    const own = { leased_until: leasedUntil };
    return {
      state: 'new',

      async finish(answer) {
        if (!answer.secret && !(answer.showsSecrets === true && vault !== undefined)) {
          await storage.idempotency.update(orgId, id, { answer: { ...answer }, leased_until: null }, own);
          return;
        }
        if (vault === undefined) {
          await storage.idempotency.delete(orgId, id, own);
          return;
        }
        await storage.transaction(async (tx) => {
          const secretId = uuidv7(clock, random);
          const changes = { answer_secret_id: secretId, leased_until: null };
          if ((await tx.idempotency.update(orgId, id, changes, own)) === null) return;
          await vault.put({ orgId, id: secretId, value: JSON.stringify(answer) }, tx);
        });
      },

      async abandon() {
        await storage.idempotency.delete(orgId, id, own);
      },
    };
  }

  async function forget(
    orgId: string,
    { id, expires_at, answer_secret_id: secretId }: IdempotencyRecord,
  ): Promise<void> {
    if (secretId !== null) await vault?.delete({ orgId, id: secretId }, storage);
    await storage.idempotency.delete(orgId, id, { expires_at });
  }

  async function keptAnswer(orgId: string, record: IdempotencyRecord): Promise<StoredAnswer | null> {
    if (record.answer !== null) return record.answer as unknown as StoredAnswer;
    if (record.answer_secret_id === null) return null;
    const sealed = await vault?.get({ orgId, id: record.answer_secret_id }, storage);
    return sealed == null ? null : (JSON.parse(sealed) as StoredAnswer);
  }

  /** Returns the state of a taken key; null if it has become free, so that the request can retry. */
  async function again(
    orgId: string,
    record: IdempotencyRecord,
    fingerprint: string,
  ): Promise<IdempotencyState | null> {
    if (Date.parse(record.expires_at) <= clock.wallMs()) {
      await forget(orgId, record);
      return null;
    }
    if (record.fingerprint !== fingerprint) return { state: 'other_body' };
    const answer = await keptAnswer(orgId, record);
    if (answer !== null) return { state: 'replay', answer };
    if (record.leased_until !== null && Date.parse(record.leased_until) > clock.wallMs()) return { state: 'running' };
    const lease = { leased_until: instant(leaseMs) };
    const taken = await storage.idempotency.update(orgId, record.id, lease, { leased_until: record.leased_until });
    return taken === null ? { state: 'running' } : first(orgId, record.id, lease.leased_until);
  }

  return {
    async begin(orgId, scope, key, fingerprint) {
      for (;;) {
        const leasedUntil = instant(leaseMs);
        const record: IdempotencyRecord = {
          id: uuidv7(clock, random),
          scope,
          key,
          fingerprint,
          leased_until: leasedUntil,
          answer: null,
          answer_secret_id: null,
          expires_at: instant(keptMs),
          created_at: timestamp(clock),
        };
        try {
          await storage.idempotency.insert(orgId, record);
          return first(orgId, record.id, leasedUntil);
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
        for (const { orgId, record } of batch) await forget(orgId, record);
        purged += batch.length;
      }
    },
  };
}
