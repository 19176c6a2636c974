import type { PublishableKey } from '../../domain/accounts/publishable-key.ts';
import { recordIdSchema } from '../../domain/records/record-id.ts';
import { RequestError, VaError } from '../../errors.ts';

/** The authenticated sender of a request. */
export interface Principal {
  readonly orgId: string;
  /** Granted scopes, as `<group>:read` or `<group>:write`; `*` grants all. */
  readonly scopes: readonly string[];
  /** Id of the presented API key; null if the host authenticated the request. */
  readonly keyId: string | null;
  /** The host's identifier of the user within the organization. */
  readonly subject?: string;
  /** The presented publishable key. Its holder is anonymous, has no scopes, and may only begin web calls. */
  readonly publishableKey?: PublishableKey;
  /** True if the sender operates the deployment, and may see its nodes, with the load of all organizations. */
  readonly isOperator?: boolean;
}

/** Result of a host's own authentication. Without `scopes`, everything is allowed. */
export interface HostPrincipal {
  /** UUID of an organization of the service. */
  readonly orgId: string;
  readonly subject?: string;
  readonly scopes?: readonly string[];
  /** True if the sender is an operator, who may see the whole deployment; false by default, whatever the scopes are. */
  readonly isOperator?: boolean;
}

/** @throws VaError `invalid_principal` if the organization's id is not a UUID */
export function toPrincipal(authenticated: HostPrincipal): Principal {
  const orgId = recordIdSchema.safeParse(authenticated.orgId);
  if (!orgId.success) {
    const given = JSON.stringify(authenticated.orgId);
    throw new VaError('invalid_principal', `authenticate() returned orgId ${given}, which is not a UUID.`);
  }
  return { scopes: ['*'], keyId: null, ...authenticated, orgId: orgId.data };
}

/**
 * @throws RequestError 403 `forbidden` unless the scope was granted
 * @example requireScope(principal, 'calls:write');
 */
export function requireScope(principal: Pick<Principal, 'scopes'>, scope: string): void {
  if (principal.scopes.includes('*') || principal.scopes.includes(scope)) return;
  throw new RequestError(403, 'forbidden', `The API key lacks the scope ${scope}.`);
}

/**
 * @throws RequestError 403 `forbidden` unless the sender operates the deployment
 * @example requireOperator(principal);
 */
export function requireOperator(principal: Pick<Principal, 'isOperator'>): void {
  if (principal.isOperator === true) return;
  const message = 'Only operators of the deployment may see it. The host names their organizations in `operators`.';
  throw new RequestError(403, 'forbidden', message);
}
