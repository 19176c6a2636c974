import { ProviderError } from '@va/core';

/** The given key, else the environment's, read when it is needed. @throws ProviderError `auth` without either. */
export function requireApiKey(provider: string, given: string | undefined, variable: string): string {
  const key = given ?? process.env[variable];
  if (key) return key;
  throw new ProviderError(provider, 'auth', `there is no API key: pass apiKey, or set ${variable}.`);
}
