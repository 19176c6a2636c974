import type { ZodObject } from 'zod';
import type { ByokProvider } from '../../domain/accounts/byok.ts';

/** A setting that a provider does not accept. */
export interface OptionIssue {
  /** Path within the config, such as `['voice_settings', 'speed']`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Declarations of a provider of any kind. */
export interface ProviderTraits {
  /**
   * Vendor whose API key the provider uses, where that differs from its id: `openai` for a second provider of OpenAI.
   * An organization's own key is stored, and passed to sessions, under this name.
   */
  readonly vendor?: string;
  /** Model of configurations without `model`. Usage and prices are recorded under its name. */
  readonly defaultModel?: string;
  /** True for a provider that runs on the host's own machines, without a vendor. */
  readonly isLocal?: boolean;
  /** Entry of the vendor in the list of BYOK providers. Organizations can store keys only for vendors in this list. */
  readonly catalog?: ByokProvider;
  /**
   * Settings of `stt_config`, `llm_config` or `tts_config` that this provider accepts in addition to the common ones.
   * It may also narrow a common setting, such as `model`. A key that is neither common nor in this schema is refused
   * when an agent is written. Without a schema the provider accepts the common settings only.
   *
   * @example z.object({ speed: z.number().min(0.5).max(2).optional() })
   */
  readonly optionsSchema?: ZodObject;
  /**
   * Checks settings that depend on the network, such as the address of a URL, when an agent is written. MUST end within
   * 10 s, and MUST NOT reject: a check that fails by itself has no issues.
   */
  checkOptions?(
    config: Readonly<Record<string, unknown>>,
    about: { readonly orgId: string },
  ): Promise<readonly OptionIssue[]>;
}

/** Returns the name under which an organization's key for the provider is stored. */
export function vendorOf(provider: ProviderTraits & { readonly id: string }): string {
  return provider.vendor ?? provider.id;
}
