import type { Agent } from '../../domain/agents/agent.ts';
import { toError } from '../../errors.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import { type Assistant, assistantOf, emptyAssistant } from '../assistant.ts';
import { requireProviders } from '../session/call-providers.ts';
import type { ProviderRegistry } from '../session/provider-registry.ts';
import { type AssistantAnswer, applyAnswer } from '../webhooks/assistant-answer.ts';
import { Refusal } from './refusal.ts';
import type { NumberRoute } from './routing.ts';

/** The agent that takes a call, and its configuration. */
export interface Resolution {
  readonly agent: Agent | null;
  readonly assistant: Assistant;
  /** Text said to the caller before the hang-up, if the customer's server refused the call. */
  readonly rejection: string | null;
}

interface ResolveAssistantDependencies {
  readonly storage: Storage;
  readonly registry: ProviderRegistry;
  readonly logger: Logger;
}

/**
 * Returns the saved agent with the overrides of the customer's server. An unusable answer is logged and ignored.
 * @throws Refusal if no agent takes the call; VaError if the saved agent cannot hold a conversation
 */
export async function resolveAssistant(
  deps: ResolveAssistantDependencies,
  route: NumberRoute,
  answer: AssistantAnswer | null,
): Promise<Resolution> {
  const agent = await answeringAgent(deps, route, answer);
  const rejection = answer?.error?.trim() ? answer.error : null;
  if (agent === null && answer?.assistant == null) {
    if (rejection !== null) throw new Refusal('rejected_by_webhook', rejection, 'declined');
    throw new Refusal('no_agent', 'No agent is assigned to the number.', 'unavailable');
  }
  const saved = agent === null ? emptyAssistant : assistantOf(agent);
  const wanted = answer === null ? saved : applyAnswer(saved, answer);
  return { agent, rejection, assistant: servable(deps, wanted, saved) };
}

async function answeringAgent(
  { storage, logger }: ResolveAssistantDependencies,
  { agent, organization }: NumberRoute,
  answer: AssistantAnswer | null,
): Promise<Agent | null> {
  if (answer?.assistantId == null) return agent;
  const named = await storage.agents.get(organization.id, answer.assistantId);
  if (named?.is_active) return named;
  logger.warn(
    { assistantId: answer.assistantId },
    'agent of the assistant-request response does not exist or is not active',
  );
  return agent;
}

function servable({ registry, logger }: ResolveAssistantDependencies, wanted: Assistant, saved: Assistant): Assistant {
  try {
    requireProviders(wanted, registry, logger);
    return wanted;
  } catch (thrown) {
    if (wanted === saved) throw thrown;
    logger.warn(
      { err: toError(thrown) },
      'configuration of the assistant-request response cannot be served; using the saved agent',
    );
    requireProviders(saved, registry, logger);
    return saved;
  }
}
