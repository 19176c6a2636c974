import type { OrganizationRecord } from '../domain/accounts/organization.ts';
import type { AgentRecord } from '../domain/agents/agent.ts';
import type { ToolTemplateRecord } from '../domain/agents/tool-template.ts';

/** Replaces a secret. `field` names its place in the record. */
export type ReplaceSecret = (secret: string, field: string) => Promise<string>;

/** Returns a record, or part of one, with each of its secrets replaced. */
export type MapSecrets<R> = <P extends Partial<R>>(part: P, replace: ReplaceSecret) => Promise<P>;

const webhookSecrets = ['webhook_secret', 'webhook_previous_secret'] as const;
const toolSecret = 'server.secret';
const toolHeader = 'server.headers';

export const organizationSecrets: MapSecrets<OrganizationRecord> = async (part, replace) => ({
  ...part,
  ...(await webhookSecretsOf(part, replace)),
});

export const agentSecrets: MapSecrets<AgentRecord> = async (part, replace) => {
  const changed = { ...part, ...(await webhookSecretsOf(part, replace)) };
  const { llm_config: llm } = part;
  if (llm === undefined || llm === null) return changed;
  const tools = await Promise.all(llm.tools.map((tool) => withServerSecrets(tool, replace)));
  return { ...changed, llm_config: { ...llm, tools } };
};

export const toolTemplateSecrets: MapSecrets<ToolTemplateRecord> = async (part, replace) => {
  const { tool_config: config } = part;
  return config === undefined ? part : { ...part, tool_config: await withServerSecrets(config, replace) };
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

async function withServerSecrets<T extends object>(tool: T, replace: ReplaceSecret): Promise<T> {
  if (!('server' in tool)) return tool;
  const { server } = tool;
  if (typeof server !== 'object' || server === null) return tool;
  const secret = 'secret' in server && typeof server.secret === 'string' ? server.secret : null;
  const headers = 'headers' in server && isRecord(server.headers) ? server.headers : null;
  if (secret === null && headers === null) return tool;
  return {
    ...tool,
    server: {
      ...server,
      ...(secret !== null && { secret: await replace(secret, toolSecret) }),
      ...(headers !== null && { headers: await withHeaderValues(headers, replace) }),
    },
  };
}

async function withHeaderValues(
  headers: Readonly<Record<string, unknown>>,
  replace: ReplaceSecret,
): Promise<Record<string, unknown>> {
  const replaced: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(headers)) {
    replaced[name] = typeof value === 'string' ? await replace(value, `${toolHeader}.${name.toLowerCase()}`) : value;
  }
  return replaced;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
