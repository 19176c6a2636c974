import type { ByokProvider } from '@va/core';

/** Names of a provider in the host's registry. */
export interface ProviderIdentity {
  /** Name by which agents select the provider; set it to register several of one kind. */
  readonly id?: string;
  /**
   * Name under which organizations store their own key. Default: the `id` if one is given. Set it only for a provider
   * that is to receive the keys of that vendor, such as a second region of the same service.
   */
  readonly vendor?: string;
  /** Entry of the vendor in the list of BYOK providers. Default: the vendor's own, unless `id` or `vendor` differ. */
  readonly catalog?: ByokProvider;
}

/** Adds the defaults of an adapter. */
export function identityOf(
  { id, vendor, catalog }: ProviderIdentity,
  defaults: { readonly id: string; readonly vendor: string; readonly catalog: ByokProvider },
): { readonly id: string; readonly vendor: string; readonly catalog?: ByokProvider } {
  const actualVendor = vendor ?? id ?? defaults.vendor;
  const entry = catalog ?? (actualVendor === defaults.vendor ? defaults.catalog : undefined);
  return { id: id ?? defaults.id, vendor: actualVendor, ...(entry !== undefined && { catalog: entry }) };
}
