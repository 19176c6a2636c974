import { createHash } from 'node:crypto';
import { z } from 'zod';
import { timestamp } from '../clock/timestamp.ts';
import type { ApiKey } from '../domain/api-key.ts';
import { RequestError } from '../errors.ts';
import { type RandomBytes, uuidv7 } from '../ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { Storage } from '../ports/storage.ts';
import { parseInput } from './parse-input.ts';
import type { Principal } from './principal.ts';

const keyPrefix = 'va_live_';

const issueKeySchema = z.strictObject({
  name: z.string().trim().min(1).max(200),
  /** What the key may do; `*` is everything. */
  scopes: z.array(z.string().min(1).max(100)).max(100).default(['*']),
  expires_at: z.iso
    .datetime({ offset: true })
    .transform((text) => new Date(text).toISOString())
    .nullable()
    .default(null),
});

/** A key as it is shown: without its hash. */
export type IssuedApiKey = Omit<ApiKey, 'hash'>;

export interface ApiKeyOperations {
  /** Input: `name`, and optionally `scopes` (default `['*']`) and `expires_at`. The secret is not kept: it is shown this once. */
  issue(orgId: string, input: unknown): Promise<{ apiKey: IssuedApiKey; secret: string }>;
  list(orgId: string): Promise<IssuedApiKey[]>;
  /**
   * Whose request it is, from the value of its `Authorization` header.
   * Throws `RequestError` 401: `unauthorized`, `api_key_expired` or `api_key_revoked`.
   */
  authenticate(authorization: string | null): Promise<Principal>;
}

export function createApiKeyOperations(deps: {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: RandomBytes;
}): ApiKeyOperations {
  const { storage, clock, random } = deps;
  return {
    async issue(orgId, input) {
      const written = parseInput(issueKeySchema, input);
      const secret = `${keyPrefix}${Buffer.from(random(32)).toString('base64url')}`;
      const key: ApiKey = {
        id: uuidv7(clock, random),
        org_id: orgId,
        ...written,
        hash: sha256(secret),
        revoked_at: null,
        created_at: timestamp(clock),
      };
      await storage.apiKeys.insert(key);
      return { apiKey: withoutHash(key), secret };
    },

    async list(orgId) {
      return (await storage.apiKeys.list(orgId)).map(withoutHash);
    },

    async authenticate(authorization) {
      const token = /^Bearer +([\x21-\x7e]{1,512}) *$/i.exec(authorization ?? '')?.[1];
      if (token === undefined) throw unauthorized('unauthorized', 'Send the API key as "Authorization: Bearer <key>".');
      const key = await storage.apiKeys.findByHash(sha256(token));
      if (key === null) throw unauthorized('unauthorized', 'The API key is not known.');
      if (key.revoked_at !== null) throw unauthorized('api_key_revoked', 'The API key has been revoked.');
      if (key.expires_at !== null && Date.parse(key.expires_at) <= clock.wallMs()) {
        throw unauthorized('api_key_expired', `The API key expired at ${key.expires_at}.`);
      }
      return { orgId: key.org_id, scopes: key.scopes, keyId: key.id };
    },
  };
}

function withoutHash({ hash: _, ...shown }: ApiKey): IssuedApiKey {
  return shown;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function unauthorized(code: string, message: string): RequestError {
  return new RequestError(401, code, message);
}
