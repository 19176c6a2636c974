import type { AgentChanges } from '../domain/agent.ts';
import type { FieldFault } from '../errors.ts';
import type { Provider } from '../ports/provider.ts';
import { invalidInput } from './parse-input.ts';

type Configs = Pick<AgentChanges, 'stt_config' | 'llm_config' | 'tts_config'>;

const kinds = { stt_config: 'stt', llm_config: 'llm', tts_config: 'tts' } as const;

/**
 * Refuses fallbacks that the deployment does not have. A call is served without them, so that nobody would miss them before the
 * day they are needed; a provider that is missing itself shows with the first call. Where no providers are known, as in a
 * process that takes no calls, all pass.
 * @throws RequestError 400 `invalid_reference`
 */
export function checkFallbacks(configs: Configs, providers: readonly Provider[]): void {
  if (providers.length === 0) return;
  const faults = Object.entries(kinds).flatMap(([name, kind]): FieldFault[] => {
    const known = providers.filter((provider) => provider.kind === kind).map(({ id }) => id);
    const fallbacks = configs[name as keyof Configs]?.fallbacks ?? [];
    return fallbacks.flatMap(({ provider }, at) =>
      known.includes(provider)
        ? []
        : [
            {
              path: `${name}.fallbacks.${at}.provider`,
              code: 'invalid_reference',
              message: `there is no ${kind} provider ${provider}; there are: ${known.join(', ') || 'none'}`,
            },
          ],
    );
  });
  if (faults.length > 0) throw invalidInput(faults);
}
