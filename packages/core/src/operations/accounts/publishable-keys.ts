import { timestamp } from '../../clock/timestamp.ts';
import {
  type NewPublishableKey,
  newPublishableKeySchema,
  type PublishableKey,
  type PublishableKeyChanges,
  type PublishableKeyRecord,
  publishableKeyChangesSchema,
} from '../../domain/accounts/publishable-key.ts';
import { RequestError } from '../../errors.ts';
import { uuidv7 } from '../../ids.ts';
import { omitUndefined } from '../../input/omit-undefined.ts';
import { type PageQuery, parsePage } from '../../input/page-query.ts';
import { invalidInput, parseInput } from '../../input/parse-input.ts';
import { checkId, notFound, requireFound } from '../../input/require-found.ts';
import type { RecordDependencies } from '../dependencies.ts';
import { type Principal, requireScope } from './principal.ts';

const prefix = 'va_pk_';
const keyPattern = /^va_pk_[\w-]{43}$/;

/** Time for which a verified key is cached. Bounds the delay of a change by another node. */
const trustedMs = 5_000;
const maxTrusted = 10_000;

/** Maximum active publishable keys of an organization. */
const maxKeys = 100;

/** Scope that a key grants to its holders; required for creating or changing one. */
const grantedScope = 'calls:write';

/** Every method throws a `RequestError` for invalid requests: 400 for the input, 404 `publishable_key_not_found`. */
export interface PublishableKeyOperations {
  /**
   * Input: `newPublishableKeySchema`. 400 `invalid_reference` for an unknown agent; 403 `forbidden` unless `grantable`
   * (default: all) includes `calls:write`; 409 `too_many_api_keys` beyond 100.
   */
  create(orgId: string, input: NewPublishableKey, grantable?: readonly string[]): Promise<PublishableKey>;
  get(orgId: string, id: string): Promise<PublishableKey>;
  /** Returns the active keys, newest first. Query: `limit` (1–1000, default 1000), `offset`. */
  list(orgId: string, query?: PageQuery): Promise<PublishableKey[]>;
  /**
   * Input: `publishableKeyChangesSchema`. Changes the given fields only; other nodes notice within 5 s. 400
   * `invalid_reference` for an unknown agent; 403 `forbidden` unless `grantable` includes `calls:write`.
   */
  update(
    orgId: string,
    id: string,
    input: PublishableKeyChanges,
    grantable?: readonly string[],
  ): Promise<PublishableKey>;
  /** Revokes the key with its unused tokens. Calls in progress go on. */
  revoke(orgId: string, id: string): Promise<void>;
  /**
   * Returns the principal of an `Authorization` header; null if it presents no publishable key. The principal has no
   * scopes.
   * @throws RequestError 401 `unauthorized`, `api_key_expired` or `api_key_revoked`
   */
  authenticate(authorization: string | null): Promise<Principal | null>;
}

interface TrustedPublishableKey {
  readonly key: PublishableKey;
  readonly untilMs: number;
}

/** Creates the operations on publishable keys; `createOperations` creates all groups. */
export function createPublishableKeyOperations(deps: RecordDependencies): PublishableKeyOperations {
  const { storage, clock, random } = deps;
  const trusted = new Map<string, TrustedPublishableKey>();
  let changes = 0;

  function trust(key: PublishableKey): void {
    // Evicts the oldest entry: entries expire in insertion order.
    const [oldest] = trusted.keys();
    if (trusted.size >= maxTrusted && oldest !== undefined) trusted.delete(oldest);
    trusted.delete(key.key);
    trusted.set(key.key, { key, untilMs: clock.nowMs() + trustedMs });
  }

  function changed({ key }: PublishableKeyRecord): void {
    trusted.delete(key);
    changes += 1;
  }

  async function checkAgents(orgId: string, ids: readonly string[]): Promise<void> {
    const agents = await storage.agents.list(orgId, { where: { id: { in: ids } }, limit: ids.length });
    const known = new Set(agents.map(({ id }) => id));
    const unknown = ids.findIndex((id) => !known.has(id));
    if (unknown === -1) return;
    const message = `there is no agent ${ids[unknown]}`;
    throw invalidInput([{ path: `agents.${unknown}`, code: 'invalid_reference', message }]);
  }

  function checkExpiry(expiresAt: string | null | undefined): void {
    if (expiresAt == null || Date.parse(expiresAt) > clock.wallMs()) return;
    throw invalidInput([{ path: 'expires_at', code: 'invalid_field', message: 'must be in the future' }]);
  }

  return {
    async create(orgId, input, grantable = ['*']) {
      requireScope({ scopes: grantable }, grantedScope);
      const written = parseInput(newPublishableKeySchema, input);
      checkExpiry(written.expires_at);
      await checkAgents(orgId, written.agents);
      if ((await storage.publishableKeys.count(orgId, { where: { revoked_at: null } })) >= maxKeys) {
        const message = `An organization has at most ${maxKeys} publishable keys. Revoke one.`;
        throw new RequestError(409, 'too_many_api_keys', message);
      }
      const now = timestamp(clock);
      const record: PublishableKeyRecord = {
        id: uuidv7(clock, random),
        key: `${prefix}${Buffer.from(random(32)).toString('base64url')}`,
        ...written,
        revoked_at: null,
        created_at: now,
        updated_at: now,
      };
      await storage.publishableKeys.insert(orgId, record);
      return { ...record, org_id: orgId };
    },

    async get(orgId, id) {
      checkId('publishable_key', id);
      const record = requireFound(await storage.publishableKeys.get(orgId, id), 'publishable_key', id);
      if (record.revoked_at !== null) throw notFound('publishable_key', id);
      return { ...record, org_id: orgId };
    },

    async list(orgId, query = {}) {
      const records = await storage.publishableKeys.list(orgId, { where: { revoked_at: null }, ...parsePage(query) });
      return records.map((record) => ({ ...record, org_id: orgId }));
    },

    async update(orgId, id, input, grantable = ['*']) {
      requireScope({ scopes: grantable }, grantedScope);
      checkId('publishable_key', id);
      const written = omitUndefined(parseInput(publishableKeyChangesSchema, input));
      checkExpiry(written.expires_at);
      if (written.agents !== undefined) await checkAgents(orgId, written.agents);
      const update = { ...written, updated_at: timestamp(clock) };
      const updated = await storage.publishableKeys.update(orgId, id, update, { revoked_at: null });
      const record = requireFound(updated, 'publishable_key', id);
      changed(record);
      return { ...record, org_id: orgId };
    },

    async revoke(orgId, id) {
      checkId('publishable_key', id);
      const now = timestamp(clock);
      const revoke = { revoked_at: now, updated_at: now };
      const revoked = await storage.publishableKeys.update(orgId, id, revoke, { revoked_at: null });
      changed(requireFound(revoked, 'publishable_key', id));
    },

    async authenticate(authorization) {
      const key = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
      if (key === undefined || !keyPattern.test(key)) return null;
      const known = trusted.get(key);
      if (known !== undefined && known.untilMs > clock.nowMs()) return toPrincipal(known.key);
      const changesBefore = changes;
      const [match] = await storage.across.publishableKeys.find({ where: { key } }, 1);
      if (match === undefined) throw unauthorized('unauthorized', 'The publishable key is unknown.');
      const found = { ...match.record, org_id: match.orgId };
      if (found.revoked_at !== null) {
        throw unauthorized('api_key_revoked', 'The publishable key has been revoked.');
      }
      const principal = toPrincipal(found);
      // A record read during a change may be stale and is not cached.
      if (changes === changesBefore) trust(found);
      return principal;
    },
  };

  function toPrincipal(key: PublishableKey): Principal {
    if (key.expires_at !== null && Date.parse(key.expires_at) <= clock.wallMs()) {
      throw unauthorized('api_key_expired', `The publishable key expired at ${key.expires_at}.`);
    }
    return { orgId: key.org_id, scopes: [], keyId: key.id, publishableKey: key };
  }
}

function unauthorized(code: string, message: string): RequestError {
  return new RequestError(401, code, message);
}
