import { RequestError } from '../errors.ts';
import type { Vault } from '../ports/vault.ts';

/** Returns the vault, or throws a 503 error without one. */
export function requiredVault(vault: Vault | undefined): Vault {
  if (vault !== undefined) return vault;
  throw new RequestError(
    503,
    'unavailable',
    'This deployment has no vault for secrets. Its operator must configure one: createVoiceAgents({ vault: ' +
      'aesVault({ key }) }), or VA_VAULT_KEY for `va serve`.',
  );
}
