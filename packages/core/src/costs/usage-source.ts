/** Source of billed usage: a model of a provider, with the key of the host or of the organization. */
export interface UsageSource {
  /** Id of the provider in the host's registry. */
  readonly provider: string;
  /** Null if the agent names none and the provider has no default model. */
  readonly model: string | null;
  /** True if the organization's own key is used. */
  readonly ownKey: boolean;
}
