import type { Agent } from '../../domain/agents/agent.ts';
import type { FieldFault } from '../../errors.ts';
import type { Provider } from '../../ports/providers/provider.ts';

type EndpointConfigs = Partial<Pick<Agent, 'stt_config' | 'llm_config' | 'tts_config' | 'analysis_plan'>>;
type Config = { readonly provider: string; readonly [setting: string]: unknown };
type EndpointKind = 'stt' | 'llm' | 'tts';

/** Returns the faults that providers find by `checkOptions`, such as a refused address of a URL. */
export async function endpointFaults(
  { stt_config: stt, llm_config: llm, tts_config: tts, analysis_plan: plan }: EndpointConfigs,
  { providers, orgId }: { readonly providers: readonly Provider[] | undefined; readonly orgId: string },
): Promise<FieldFault[]> {
  if (providers === undefined) return [];
  const configs = [
    ...placed('stt_config', 'stt', stt),
    ...placed('llm_config', 'llm', llm),
    ...placed('tts_config', 'tts', tts),
    ...placed('analysis_plan.llm_config', 'llm', plan?.llm_config),
  ];
  const found = await Promise.all(
    configs.map(async ({ path, kind, config }): Promise<FieldFault[]> => {
      const provider = providers.find((each) => each.kind === kind && each.id === config.provider);
      const issues = (await provider?.checkOptions?.(config, { orgId })) ?? [];
      return issues.map(({ path: at, message }) => ({
        path: [path, ...at].join('.'),
        code: 'invalid_field',
        message,
      }));
    }),
  );
  return found.flat();
}

/** Returns a config and its fallbacks, each with its path. */
function placed(
  path: string,
  kind: EndpointKind,
  config: (Config & { readonly fallbacks?: readonly Config[] | undefined }) | null | undefined,
): { readonly path: string; readonly kind: EndpointKind; readonly config: Config }[] {
  if (config === null || config === undefined) return [];
  const fallbacks = (config.fallbacks ?? []).map((each, at) => ({
    path: `${path}.fallbacks.${at}`,
    kind,
    config: each,
  }));
  return [{ path, kind, config }, ...fallbacks];
}
