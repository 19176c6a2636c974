import type { OrganizationRecord } from '../domain/accounts/organization.ts';
import type { AgentRecord } from '../domain/agents/agent.ts';
import type { ToolTemplateRecord } from '../domain/agents/tools/tool-template.ts';

/** Returns the replacement of a secret. `field` names the place of the secret in the record. */
type ReplaceSecret = (secret: string, field: string) => Promise<string>;

/** Returns a record, or part of one, with each of its secrets replaced. */
export type MapSecrets<R> = <P extends Partial<R>>(part: P, replace: ReplaceSecret) => Promise<P>;

const webhookSecrets = ['webhook_secret', 'webhook_previous_secret'] as const;
const toolSecret = 'server.secret';
const toolHeader = 'server.headers';
const modelKey = 'model.api_key';
const modelHeader = 'model.headers';

export const organizationSecrets: MapSecrets<OrganizationRecord> = async (part, replace) => ({
  ...part,
  ...(await webhookSecretsOf(part, replace)),
});

export const agentSecrets: MapSecrets<AgentRecord> = async (part, replace) => {
  const changed = { ...part, ...(await webhookSecretsOf(part, replace)) };
  const { llm_config: llm, analysis_plan: plan } = part;
  if (llm !== undefined && llm !== null) {
    const tools = await Promise.all(llm.tools.map((tool) => withServerSecrets(tool, replace)));
    changed.llm_config = { ...(await withModelSecrets(llm, replace)), tools };
  }
  if (plan?.llm_config !== undefined) {
    changed.analysis_plan = { ...plan, llm_config: await withModelSecrets(plan.llm_config, replace) };
  }
  return changed;
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

/** Replaces the secrets of a model and of its fallbacks. */
async function withModelSecrets<T extends object>(model: T, replace: ReplaceSecret): Promise<T> {
  const key = 'api_key' in model && typeof model.api_key === 'string' ? model.api_key : null;
  const headers = 'headers' in model && isRecord(model.headers) ? model.headers : null;
  const fallbacks = 'fallbacks' in model && Array.isArray(model.fallbacks) ? model.fallbacks : null;
  return {
    ...model,
    ...(key !== null && { api_key: await replace(key, modelKey) }),
    ...(headers !== null && { headers: await withHeaderValues(headers, modelHeader, replace) }),
    ...(fallbacks !== null && {
      fallbacks: await Promise.all(fallbacks.map((each: object) => withModelSecrets(each, replace))),
    }),
  };
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
      ...(headers !== null && { headers: await withHeaderValues(headers, toolHeader, replace) }),
    },
  };
}

async function withHeaderValues(
  headers: Readonly<Record<string, unknown>>,
  field: string,
  replace: ReplaceSecret,
): Promise<Record<string, unknown>> {
  const replaced: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(headers)) {
    replaced[name] = typeof value === 'string' ? await replace(value, `${field}.${name.toLowerCase()}`) : value;
  }
  return replaced;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
