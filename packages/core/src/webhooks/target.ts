import type { OrganizationRecord } from '../domain/accounts/organization.ts';
import type { Agent, AgentRecord } from '../domain/agents/agent.ts';
import type { FunctionTool } from '../domain/agents/tools/tool.ts';
import type { WebhookTarget } from '../ports/webhooks.ts';
import { type PreviousSecret, secretInGrace } from './secret-rotation.ts';

type Owner = Pick<OrganizationRecord, 'webhook_url' | 'webhook_secret' | keyof PreviousSecret>;

export interface TargetOwners {
  readonly organization: Owner | null;
  readonly agent: Agent | AgentRecord | null;
  /** `YYYY-MM-DDTHH:mm:ss.sssZ`. */
  readonly now: string;
}

/**
 * Returns the target of a webhook: the tool's own server, else the agent's, else the organization's; null if none has a
 * URL.
 */
export function webhookTarget({ organization, agent, now }: TargetOwners, tool?: FunctionTool): WebhookTarget | null {
  // Requests are signed with the secret of the record that names the server, so that the organization's server needs
  // one secret for all agents.
  const isAgents = agent !== null && (agent.webhook_url !== null || tool?.server !== undefined);
  const owner = isAgents ? agent : organization;
  const url = tool?.server?.url ?? owner?.webhook_url ?? null;
  if (url === null) return null;
  if (tool?.server?.secret !== undefined) return { url, secret: tool.server.secret };
  const previousSecret = owner !== null && 'webhook_previous_secret' in owner ? secretInGrace(owner, now) : null;
  return { url, secret: owner?.webhook_secret ?? agent?.webhook_secret ?? '', previousSecret };
}

/**
 * Returns the current target of a message that was stored for `url`. A URL that is not configured any more receives
 * neither requests nor signatures.
 */
export function targetToday(owners: TargetOwners, url: string | null): WebhookTarget | null {
  const tool = owners.agent?.llm_config?.tools.find((each) => each.type === 'function' && each.server?.url === url);
  return webhookTarget(owners, tool?.type === 'function' ? tool : undefined);
}
