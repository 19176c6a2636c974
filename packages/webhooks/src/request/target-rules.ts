import type { AddressPolicy, HostLookup } from '@va/core/adapter';

/** Rules for the targets that the service may contact. */
export interface TargetRules {
  /** Returns true for a URL that bypasses the address policy. */
  readonly allowsPrivate: (url: URL) => boolean;
  readonly addresses: AddressPolicy;
  /** Replaces DNS and the hosts file. */
  readonly lookup?: HostLookup | undefined;
}
