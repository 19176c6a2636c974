import { hash } from 'node:crypto';
import { timestamp } from '../../clock/timestamp.ts';
import { type ApiKey, type ApiKeyRecord, type NewApiKey, newApiKeySchema } from '../../domain/accounts/api-key.ts';
import { RequestError } from '../../errors.ts';
import { uuidv7 } from '../../ids.ts';
import { type PageQuery, parsePage } from '../../input/page-query.ts';
import { invalidInput, parseInput } from '../../input/parse-input.ts';
import { checkId, notFound } from '../../input/require-found.ts';
import type { RecordDependencies } from '../dependencies.ts';
import { type Principal, requireScope } from './principal.ts';

const keyPrefix = 'va_live_';

/** Time for which a verified key is cached. Bounds the delay of a revocation by another node. */
const trustedMs = 5_000;
const maxTrusted = 10_000;

/** Maximum active API keys of an organization. */
const maxKeys = 100;

/** Operations on API keys. */
export interface ApiKeyOperations {
  /**
   * Input: `newApiKeySchema`. The secret is returned once and not stored. 403 `forbidden` for scopes outside
   * `grantable` (default: all); 409 `too_many_api_keys` beyond 100.
   */
  issue(orgId: string, input: NewApiKey, grantable?: readonly string[]): Promise<{ apiKey: ApiKey; secret: string }>;
  /** Returns the active keys, newest first. Query: `limit` (1–1000, default 1000), `offset`. */
  list(orgId: string, query?: PageQuery): Promise<ApiKey[]>;
  /**
   * Revokes the key: on this node at once, on others within 5 s. Its event streams end; on other nodes within 15 s. 404
   * `api_key_not_found`; 403 `forbidden` for a key with scopes outside `grantable`.
   */
  revoke(orgId: string, id: string, grantable?: readonly string[]): Promise<void>;
  /** Calls the listener with the id of each key that this process revokes. Returns a function that removes it. */
  onRevoked(listener: (keyId: string) => void): () => void;
  /**
   * Returns the principal of an `Authorization` header.
   * @throws RequestError 401 `unauthorized`, `api_key_expired` or `api_key_revoked`
   */
  authenticate(authorization: string | null): Promise<Principal>;
}

interface TrustedApiKey {
  readonly principal: Principal;
  readonly expiresAtMs: number;
  readonly untilMs: number;
}

/** Creates the operations on API keys; `createOperations` creates all groups. */
export function createApiKeyOperations({ storage, clock, random }: RecordDependencies): ApiKeyOperations {
  const trusted = new Map<string, TrustedApiKey>();
  let revocations = 0;
  const listeners = new Set<(keyId: string) => void>();

  function trust(digest: string, principal: Principal, expiresAt: string | null): void {
    // Evicts the oldest entry: entries expire in insertion order.
    const [oldest] = trusted.keys();
    if (trusted.size >= maxTrusted && oldest !== undefined) trusted.delete(oldest);
    trusted.delete(digest);
    const expiresAtMs = expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
    trusted.set(digest, { principal, expiresAtMs, untilMs: clock.nowMs() + trustedMs });
  }

  return {
    async issue(orgId, input, grantable = ['*']) {
      const written = parseInput(newApiKeySchema, input);
      if (written.expires_at !== null && Date.parse(written.expires_at) <= clock.wallMs()) {
        throw invalidInput([{ path: 'expires_at', code: 'invalid_field', message: 'must be in the future' }]);
      }
      for (const scope of written.scopes) requireScope({ scopes: grantable }, scope);
      if ((await storage.apiKeys.count(orgId, { where: { revoked_at: null } })) >= maxKeys) {
        throw new RequestError(
          409,
          'too_many_api_keys',
          `An organization has at most ${maxKeys} API keys. Revoke one.`,
        );
      }
      const secret = `${keyPrefix}${Buffer.from(random(32)).toString('base64url')}`;
      const record: ApiKeyRecord = {
        id: uuidv7(clock, random),
        ...written,
        hash: hash('sha256', secret),
        revoked_at: null,
        created_at: timestamp(clock),
      };
      await storage.apiKeys.insert(orgId, record);
      return { apiKey: toApiKey(orgId, record), secret };
    },

    async list(orgId, query = {}) {
      const records = await storage.apiKeys.list(orgId, { where: { revoked_at: null }, ...parsePage(query) });
      return records.map((record) => toApiKey(orgId, record));
    },

    async revoke(orgId, id, grantable = ['*']) {
      checkId('api_key', id);
      const key = await storage.apiKeys.get(orgId, id);
      if (key === null) throw notFound('api_key', id);
      for (const scope of key.scopes) requireScope({ scopes: grantable }, scope);
      const revoked = await storage.apiKeys.update(orgId, id, { revoked_at: timestamp(clock) }, { revoked_at: null });
      if (revoked === null) throw notFound('api_key', id);
      trusted.delete(revoked.hash);
      revocations += 1;
      for (const listener of listeners) listener(id);
    },

    onRevoked(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    async authenticate(authorization) {
      const token = /^Bearer +([\x21-\x7e]{1,512}) *$/i.exec(authorization ?? '')?.[1];
      if (token === undefined) throw unauthorized('unauthorized', 'Send the API key as "Authorization: Bearer <key>".');
      const digest = hash('sha256', token);
      const known = trusted.get(digest);
      if (known !== undefined && known.untilMs > clock.nowMs() && known.expiresAtMs > clock.wallMs()) {
        return known.principal;
      }
      const revokedBefore = revocations;
      const [match] = await storage.across.apiKeys.find({ where: { hash: digest } }, 1);
      if (match === undefined) throw unauthorized('unauthorized', 'The API key is unknown.');
      const { orgId, record } = match;
      if (record.revoked_at !== null) throw unauthorized('api_key_revoked', 'The API key has been revoked.');
      if (record.expires_at !== null && Date.parse(record.expires_at) <= clock.wallMs()) {
        throw unauthorized('api_key_expired', `The API key expired at ${record.expires_at}.`);
      }
      const principal = { orgId, scopes: record.scopes, keyId: record.id };
      // A record read during a revocation may be stale and is not cached.
      if (revocations === revokedBefore) trust(digest, principal, record.expires_at);
      return principal;
    },
  };
}

function toApiKey(orgId: string, { hash: _, ...shown }: ApiKeyRecord): ApiKey {
  return { ...shown, org_id: orgId };
}

function unauthorized(code: string, message: string): RequestError {
  return new RequestError(401, code, message);
}
