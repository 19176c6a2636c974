import { recordIdSchema } from '../../domain/records/record-id.ts';
import { RequestError, VaError } from '../../errors.ts';

/** On whose behalf a request is made. */
export interface Principal {
  readonly orgId: string;
  /** What it may do, as `<group>:read` or `<group>:write`; `*` is everything. */
  readonly scopes: readonly string[];
  /** The API key that was presented; null where the host authenticates by its own means. */
  readonly keyId: string | null;
  /** Whom the host has authenticated, within the organization. */
  readonly subject?: string;
}

/** Whom a host has authenticated by its own means. Without `scopes` they may do everything. */
export interface HostPrincipal {
  /** The id of an organization of the service: a UUID. */
  readonly orgId: string;
  readonly subject?: string;
  readonly scopes?: readonly string[];
}

/** Throws `VaError` `invalid_principal` when the host names an organization by something that is not a UUID. */
export function toPrincipal(authenticated: HostPrincipal): Principal {
  const orgId = recordIdSchema.safeParse(authenticated.orgId);
  if (!orgId.success) {
    const given = JSON.stringify(authenticated.orgId);
    throw new VaError('invalid_principal', `authenticate() returned orgId ${given}, which is not a UUID.`);
  }
  return { scopes: ['*'], keyId: null, ...authenticated, orgId: orgId.data };
}

/** Throws `RequestError` 403 `forbidden` unless the scope was granted. */
export function requireScope(principal: Pick<Principal, 'scopes'>, scope: string): void {
  if (principal.scopes.includes('*') || principal.scopes.includes(scope)) return;
  throw new RequestError(403, 'forbidden', `This needs the scope ${scope}, which the API key does not have.`);
}
