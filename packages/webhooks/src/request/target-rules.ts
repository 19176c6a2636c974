import type { AddressPolicy, HostLookup } from '@va/core/adapter';

/** Which targets the service may contact. */
export interface TargetRules {
  /** URLs that are sent to whatever the policy says. */
  readonly allowsPrivate: (url: URL) => boolean;
  readonly addresses: AddressPolicy;
  /** Replaces DNS and the hosts file. */
  readonly lookup?: HostLookup | undefined;
}
