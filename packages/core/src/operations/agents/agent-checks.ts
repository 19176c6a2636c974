import { namesOf } from '../../calls/session/provider-registry.ts';
import type { Clips } from '../../clips/clips.ts';
import { budgetFaults } from '../../costs/budget-faults.ts';
import type { Agent } from '../../domain/agents/agent.ts';
import { type FieldFault, RequestError } from '../../errors.ts';
import { invalidInput } from '../../input/parse-input.ts';
import type { Provider } from '../../ports/providers/provider.ts';
import { optionIssues } from '../../providers/provider-options.ts';
import type { SchemaChecker } from '../../schema/schema-checker.ts';
import type { ToolSources } from '../../tools/tool-sources.ts';
import { endpointFaults } from './endpoint-checks.ts';
import { toolFaults } from './tool-checks.ts';

type CheckedConfigs = Partial<
  Pick<Agent, 'stt_config' | 'llm_config' | 'tts_config' | 'speech_config' | 'analysis_plan' | 'budget'>
>;
type ProviderConfig = { readonly provider: string; readonly [setting: string]: unknown };
type ProviderKind = Provider['kind'];

/**
 * Settings that every provider of a kind accepts. A fallback shares messages, tools and context with the first
 * provider.
 */
const fallbackKeys = {
  stt: ['provider', 'model', 'language', 'keyterms'],
  llm: ['provider', 'model', 'voice', 'temperature'],
  tts: ['provider', 'voiceId', 'model', 'language'],
} as const;
const commonKeys = {
  stt: [...fallbackKeys.stt, 'fallbacks'],
  llm: [...fallbackKeys.llm, 'messages', 'tools', 'context', 'fallbacks'],
  tts: [...fallbackKeys.tts, 'fallbacks'],
};

/** Facts about the service that agents are checked against. */
export interface AgentCheck {
  readonly orgId: string;
  /** The registered providers; undefined skips the checks of providers. */
  readonly providers: readonly Provider[] | undefined;
  readonly schemas: Pick<SchemaChecker, 'faultsOf'>;
  /** Tools of the host and MCP servers; undefined skips their checks. */
  readonly tools: ToolSources | undefined;
  /** The host's audio clips; undefined skips their check. */
  readonly clips: Pick<Clips, 'has'> | undefined;
  /** Currency of the host's prices; null or undefined without prices. */
  readonly currency: string | null | undefined;
}

/**
 * Checks what the schema of an agent cannot: that its providers are registered and accept their settings, that its
 * JSON Schemas are valid, and that calls have a cost if it has a budget.
 *
 * @throws RequestError 400 `invalid_reference`, `invalid_field` or `tool_server_failed`, 422
 *   `not_supported_in_realtime`
 */
export async function checkAgent(configs: CheckedConfigs, check: AgentCheck): Promise<void> {
  const { providers } = check;
  const faults = [
    ...providerFaults(configs, providers),
    ...budgetFaults('budget', configs.budget, check.currency),
    ...clipFaults(configs.speech_config, check.clips),
    ...(await endpointFaults(configs, check)),
    ...(await schemaFaults(check, configs)),
    ...(await toolFaults(configs.llm_config?.tools ?? [], check)),
  ];
  if (faults.length > 0) throw invalidInput(faults);
  if (providers !== undefined) checkRealtime(configs, providers);
}

function clipFaults(speech: CheckedConfigs['speech_config'], clips: AgentCheck['clips']): FieldFault[] {
  if (clips === undefined) return [];
  const named = { ambient: speech?.ambient.clip, hold: speech?.hold.clip };
  return Object.entries(named).flatMap(([key, clip]): FieldFault[] => {
    if (clip === undefined || clip === null || clips.has(clip)) return [];
    const message = `the host has no clip ${clip}`;
    return [{ path: `speech_config.${key}.clip`, code: 'invalid_reference', message }];
  });
}

/** Returns the faults of the providers named in the configs, and of their settings. */
function providerFaults(configs: CheckedConfigs, providers: readonly Provider[] | undefined): FieldFault[] {
  if (providers === undefined) return [];
  const { stt_config: stt, llm_config: llm, tts_config: tts, speech_config: speech, analysis_plan: analysis } = configs;
  return [
    ...faultsOfConfig('stt_config', 'stt', stt, providers),
    ...faultsOfConfig('llm_config', 'llm', llm, providers),
    ...faultsOfConfig('tts_config', 'tts', tts, providers),
    ...(speech?.languages ?? []).flatMap(({ tts_config: voice }, at) =>
      faultsOfConfig(`speech_config.languages.${at}.tts_config`, 'tts', voice, providers),
    ),
    ...faultsOfConfig('analysis_plan.llm_config', 'llm', analysis?.llm_config, textModels(providers)),
  ];
}

function textModels(providers: readonly Provider[]): readonly Provider[] {
  return providers.filter(({ kind }) => kind !== 'realtime');
}

function faultsOfConfig(
  path: string,
  kind: keyof typeof commonKeys,
  config: (ProviderConfig & { readonly fallbacks?: readonly ProviderConfig[] | undefined }) | null | undefined,
  providers: readonly Provider[],
): FieldFault[] {
  if (config === null || config === undefined) return [];
  const fallbacks = config.fallbacks ?? [];
  return [
    ...faultsOfOne(path, kind, config, commonKeys[kind], providers),
    ...fallbacks.flatMap((each, at) =>
      // A speech-to-speech model and a language model cannot replace each other.
      faultsOfOne(`${path}.fallbacks.${at}`, kind, each, fallbackKeys[kind], textModels(providers)),
    ),
  ];
}

function faultsOfOne(
  path: string,
  kind: ProviderKind,
  config: ProviderConfig,
  accepted: readonly string[],
  providers: readonly Provider[],
): FieldFault[] {
  const named = findProvider(kind, config.provider, providers);
  if (named !== undefined) {
    return optionIssues(named, config, accepted).map(({ path: at, message }) => ({
      path: [path, ...at].join('.'),
      code: Object.hasOwn(named.optionsSchema?.shape ?? {}, at[0] ?? '') ? 'invalid_field' : 'unknown_field',
      message,
    }));
  }
  const known = providers.filter((provider) => isOfKind(kind, provider)).flatMap(namesOf);
  const message = `there is no ${kind} provider ${config.provider}; there are: ${known.join(', ') || 'none'}`;
  return [{ path: `${path}.provider`, code: 'invalid_reference', message }];
}

function findProvider(kind: ProviderKind, name: string, providers: readonly Provider[]): Provider | undefined {
  return providers.find((provider) => isOfKind(kind, provider) && namesOf(provider).includes(name));
}

/** `llm_config` names either a language model or a speech-to-speech model. */
function isOfKind(kind: ProviderKind, provider: Provider): boolean {
  return provider.kind === kind || (kind === 'llm' && provider.kind === 'realtime');
}

function checkRealtime(
  { llm_config: llm, speech_config: speech }: CheckedConfigs,
  providers: readonly Provider[],
): void {
  if (llm === null || llm === undefined) return;
  if (findProvider('realtime', llm.provider, providers) === undefined) return;
  const unsupported = (['fallbacks', 'context'] as const)
    .filter((key) => llm[key] !== undefined)
    .map((key) => `llm_config.${key}`);
  if ((speech?.languages ?? []).length > 0) unsupported.push('speech_config.languages');
  if (unsupported.length === 0) return;
  const faults = unsupported.map((path) => ({
    path,
    code: 'not_supported_in_realtime',
    message: `a speech-to-speech model has no ${path.slice(path.indexOf('.') + 1)}`,
  }));
  const message = faults.map(({ path, message: text }) => `${path}: ${text}`).join('; ');
  throw new RequestError(422, 'not_supported_in_realtime', message, faults);
}

async function schemaFaults(
  { schemas, orgId }: AgentCheck,
  { llm_config: llm, analysis_plan: analysis }: CheckedConfigs,
): Promise<FieldFault[]> {
  const faults: FieldFault[] = [];
  const schema = analysis?.structuredDataPlan?.schema;
  if (schema !== undefined) {
    faults.push(...(await schemas.faultsOf(orgId, schema, 'analysis_plan.structuredDataPlan.schema')));
  }
  for (const [at, tool] of (llm?.tools ?? []).entries()) {
    if (tool.type !== 'function') continue;
    faults.push(...(await schemas.faultsOf(orgId, tool.parameters, `llm_config.tools.${at}.parameters`)));
  }
  return faults;
}
