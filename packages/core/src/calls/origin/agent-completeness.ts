import type { Agent } from '../../domain/agents/agent.ts';
import { RequestError } from '../../errors.ts';
import type { Provider } from '../../ports/providers/provider.ts';
import { namesOf } from '../session/provider-registry.ts';

type RequiredConfigs = Pick<Agent, 'stt_config' | 'llm_config' | 'tts_config'>;

/**
 * Returns what an agent lacks to hold a conversation; null if it is complete.
 *
 * @param providers the registered ones; undefined if unknown, as in a process that takes no calls
 */
export function incompletenessOf(agent: RequiredConfigs, providers: readonly Provider[] | undefined): string | null {
  if (providers === undefined) return null;
  const { stt_config: stt, llm_config: llm, tts_config: tts } = agent;
  if (llm === null) return 'The agent has no llm_config.';
  const has = (kind: Provider['kind'], name: string): boolean =>
    providers.some((provider) => provider.kind === kind && namesOf(provider).includes(name));
  if (has('realtime', llm.provider)) return null;
  if (stt === null || tts === null) {
    const missing = [...(stt === null ? ['stt_config'] : []), ...(tts === null ? ['tts_config'] : [])].join(' and ');
    return `The agent has no ${missing}, which it needs unless its llm_config names a speech-to-speech model.`;
  }
  const named = [
    { kind: 'stt', name: stt.provider },
    { kind: 'llm', name: llm.provider },
    { kind: 'tts', name: tts.provider },
  ] as const;
  const unknown = named.find(({ kind, name }) => !has(kind, name));
  return unknown === undefined ? null : `There is no ${unknown.kind} provider ${unknown.name} in this deployment.`;
}

/** @throws RequestError 422 `agent_incomplete` */
export function requireComplete(agent: RequiredConfigs, providers: readonly Provider[] | undefined): void {
  const problem = incompletenessOf(agent, providers);
  if (problem !== null) throw new RequestError(422, 'agent_incomplete', problem);
}
