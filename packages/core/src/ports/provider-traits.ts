import type { ByokProvider } from '../domain/byok.ts';

/** What a provider of any kind may tell about itself, for what the API shows. */
export interface ProviderTraits {
  /**
   * Whose API key it uses, where that is not its own id: `openai` for a second provider of OpenAI's. An organization's
   * own key is kept, and handed to sessions, under this name.
   */
  readonly vendor?: string;
  /** True for one that runs on the host's own machines, without a vendor behind it. */
  readonly isLocal?: boolean;
  /** The vendor as customers see it who bring a key; the service knows the common ones by itself. */
  readonly catalog?: ByokProvider;
}

/** The name under which an organization's key for the provider is kept. */
export function vendorOf(provider: ProviderTraits & { readonly id: string }): string {
  return provider.vendor ?? provider.id;
}
