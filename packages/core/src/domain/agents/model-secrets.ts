import type { Agent } from './agent.ts';

/** A model as written in `llm_config`, in `analysis_plan.llm_config`, or in the fallbacks of either. */
interface Model {
  readonly provider: string;
  readonly model?: string | undefined;
  readonly url?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly api_key?: string | undefined;
}

type ModelConfig = Model & { readonly fallbacks?: readonly Model[] | undefined };
type AgentModels = Partial<Pick<Agent, 'llm_config' | 'analysis_plan'>>;

/** Returns a model configuration without the secrets of its endpoints, which are write-only. */
export function withoutModelSecrets<T extends ModelConfig>(config: T): T {
  return mapModels(config, ({ headers: _headers, api_key: _key, ...shown }) => shown);
}

/** Returns an analysis plan without the secrets of its models. */
export function withoutPlanSecrets<T extends NonNullable<Agent['analysis_plan']>>(plan: T): T {
  const { llm_config: llm } = plan;
  return llm === undefined ? plan : { ...plan, llm_config: withoutModelSecrets(llm) };
}

/** Returns a configuration with the secrets of known models: those of the same provider and URL. */
export function withKnownModelSecrets<T extends ModelConfig>(config: T, known: readonly Model[]): T {
  return mapModels(config, (written) => {
    const { provider, url, model } = written;
    if (url === undefined) return written;
    const same = known.filter((each) => each.provider === provider && each.url === url);
    const before = same.find((each) => each.model === model) ?? same[0];
    const { headers, api_key } = before ?? {};
    return {
      ...written,
      ...(headers !== undefined && written.headers === undefined && { headers }),
      ...(api_key !== undefined && written.api_key === undefined && { api_key }),
    };
  });
}

/** Returns the models in changes to an agent. Those written without secrets keep the stored ones of their endpoint. */
export function keepModelSecrets(
  { llm_config: llm, analysis_plan: plan }: AgentModels,
  before: AgentModels,
): AgentModels {
  const known = modelsOf(before);
  const kept: AgentModels = {};
  if (llm !== undefined && llm !== null) kept.llm_config = withKnownModelSecrets(llm, known);
  if (plan?.llm_config !== undefined) {
    kept.analysis_plan = { ...plan, llm_config: withKnownModelSecrets(plan.llm_config, known) };
  }
  return kept;
}

/** Returns all models of an agent, those of fallbacks and of the analysis included. */
export function modelsOf({ llm_config: llm, analysis_plan: plan }: AgentModels): readonly Model[] {
  const configs: ModelConfig[] = [];
  if (llm !== undefined && llm !== null) configs.push(llm);
  if (plan?.llm_config !== undefined) configs.push(plan.llm_config);
  return configs.flatMap((config) => [config, ...(config.fallbacks ?? [])]);
}

/** Maps a model and its fallbacks. `map` MUST keep all settings but the secrets. */
function mapModels<T extends ModelConfig>(config: T, map: (model: Model) => Model): T {
  const { fallbacks } = config;
  return { ...map(config), ...(fallbacks !== undefined && { fallbacks: fallbacks.map(map) }) } as unknown as T;
}
