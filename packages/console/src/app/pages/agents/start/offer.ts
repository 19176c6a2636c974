import type { ByokProvider, Voice } from '@va/client';

/** What the service says is there to build an agent from. */
export interface Offer {
  readonly catalog: readonly ByokProvider[];
  /** Ids of the providers with a key of the organization. */
  readonly withKey: ReadonlySet<string>;
  readonly voices: readonly Voice[];
}
