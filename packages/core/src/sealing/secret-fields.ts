import type { OrganizationRecord } from '../domain/accounts/organization.ts';
import type { AgentRecord } from '../domain/agents/agent.ts';
import type { ToolTemplateRecord } from '../domain/agents/tool-template.ts';

/** Replaces a secret. `field` names its place in the record. */
export type ReplaceSecret = (secret: string, field: string) => Promise<string>;

/** Returns a record, or part of one, with each of its secrets replaced. */
export type MapSecrets<R> = <P extends Partial<R>>(part: P, replace: ReplaceSecret) => Promise<P>;

const webhookSecrets = ['webhook_secret', 'webhook_previous_secret'] as const;
const toolSecret = 'server.secret';

export const organizationSecrets: MapSecrets<OrganizationRecord> = async (part, replace) => ({
  ...part,
  ...(await webhookSecretsOf(part, replace)),
});

export const agentSecrets: MapSecrets<AgentRecord> = async (part, replace) => {
  const changed = { ...part, ...(await webhookSecretsOf(part, replace)) };
  const { llm_config: llm } = part;
  if (llm === undefined || llm === null) return changed;
  const tools = await Promise.all(llm.tools.map((tool) => withServerSecret(tool, replace)));
  return { ...changed, llm_config: { ...llm, tools } };
};

export const toolTemplateSecrets: MapSecrets<ToolTemplateRecord> = async (part, replace) => {
  const { tool_config: config } = part;
  return config === undefined ? part : { ...part, tool_config: await withServerSecret(config, replace) };
};

type WebhookSecrets = Partial<Pick<AgentRecord | OrganizationRecord, (typeof webhookSecrets)[number]>>;

async function webhookSecretsOf(part: WebhookSecrets, replace: ReplaceSecret): Promise<Record<string, string>> {
  const replaced: Record<string, string> = {};
  for (const field of webhookSecrets) {
    const secret = part[field];
    if (typeof secret === 'string') replaced[field] = await replace(secret, field);
  }
  return replaced;
}

async function withServerSecret<T extends object>(tool: T, replace: ReplaceSecret): Promise<T> {
  if (!('server' in tool)) return tool;
  const { server } = tool;
  if (typeof server !== 'object' || server === null || !('secret' in server)) return tool;
  if (typeof server.secret !== 'string') return tool;
  return { ...tool, server: { ...server, secret: await replace(server.secret, toolSecret) } };
}
