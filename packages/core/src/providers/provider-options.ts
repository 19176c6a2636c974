import type { OptionIssue, ProviderTraits } from '../ports/providers/provider-traits.ts';

/**
 * Checks a config against the settings that its provider accepts: the common ones and those of its `optionsSchema`.
 *
 * @param config one `stt_config`, `llm_config` or `tts_config`, or one of its fallbacks
 * @param commonKeys settings that every provider of the kind accepts
 * @returns one issue per unknown key or invalid value; empty if the config is valid
 */
export function optionIssues(
  provider: ProviderTraits & { readonly id: string },
  config: Readonly<Record<string, unknown>>,
  commonKeys: readonly string[],
): OptionIssue[] {
  const ownKeys = Object.keys(provider.optionsSchema?.shape ?? {});
  const accepted = [...new Set([...commonKeys, ...ownKeys])];
  const unknown = Object.keys(config).filter((key) => !accepted.includes(key));
  const issues: OptionIssue[] = unknown.map((key) => ({
    path: [key],
    message: `unknown setting of the provider ${provider.id}; accepted are ${accepted.join(', ')}`,
  }));
  const own = Object.fromEntries(Object.entries(config).filter(([key]) => ownKeys.includes(key)));
  const parsed = provider.optionsSchema?.safeParse(own);
  for (const { path, message } of parsed?.error?.issues ?? []) {
    issues.push({ path: path.filter((part) => typeof part !== 'symbol'), message });
  }
  return issues;
}
