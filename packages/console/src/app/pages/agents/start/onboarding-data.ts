import type { ByokProvider, Voice } from '@va/client';

/** The providers, voices and provider keys available for a first agent. */
export interface OnboardingData {
  readonly catalog: readonly ByokProvider[];
  /** Ids of the providers for which the organization has a key. */
  readonly withKey: ReadonlySet<string>;
  readonly voices: readonly Voice[];
}
