import { ProviderError } from '@va/core';

/** Returns the given key, else that of the environment, read on demand. @throws ProviderError `auth` without either */
export function requireApiKey(provider: string, given: string | undefined, variable: string): string {
  const key = given ?? process.env[variable];
  if (key) return key;
  throw new ProviderError(provider, 'auth', `no API key: pass apiKey, or set ${variable}.`);
}
