import { type OutboundLine, outboundLine } from '../../calls/line/outbound-line.ts';
import { incompletenessOf } from '../../calls/origin/agent-completeness.ts';
import type { OrganizationRecord } from '../../domain/accounts/organization.ts';
import type { AgentRecord } from '../../domain/agents/agent.ts';
import type { CampaignRecord } from '../../domain/campaigns/campaign.ts';
import { RequestError } from '../../errors.ts';
import type { Provider } from '../../ports/providers/provider.ts';
import type { Records } from '../../ports/storage/records.ts';

/** The organization, agent and line that call the leads of a campaign. */
export interface DialContext {
  readonly organization: OrganizationRecord;
  readonly agent: AgentRecord;
  readonly line: OutboundLine;
}

/**
 * Dial contexts of the campaigns of one scheduler pass. Most campaigns of an organization share agent and number, which
 * are then read once.
 */
export class DialContexts {
  readonly #records: Records;
  readonly #providers: readonly Provider[] | undefined;
  readonly #found = new Map<string, Promise<DialContext | string>>();

  /** @param providers the registered ones; undefined when unknown */
  constructor(records: Records, providers: readonly Provider[] | undefined) {
    this.#records = records;
    this.#providers = providers;
  }

  /** Returns the context of a campaign, or the reason why it cannot call. */
  async of(orgId: string, campaign: CampaignRecord): Promise<DialContext | string> {
    const key = `${orgId} ${campaign.agent_id} ${campaign.number_id}`;
    const found = this.#found.get(key) ?? findContext(this.#records, this.#providers, orgId, campaign);
    this.#found.set(key, found);
    return await found;
  }
}

async function findContext(
  records: Records,
  providers: readonly Provider[] | undefined,
  orgId: string,
  campaign: CampaignRecord,
): Promise<DialContext | string> {
  const { agent_id: agentId, number_id: numberId } = campaign;
  const [organization, agent] = await Promise.all([
    records.organizations.get(orgId, orgId),
    agentId === null ? null : records.agents.get(orgId, agentId),
  ]);
  if (organization === null) return 'The organization was deleted.';
  if (agent === null) return 'The agent was deleted.';
  if (!agent.is_active) return 'The agent is not active.';
  const problem = incompletenessOf(agent, providers);
  if (problem !== null) return problem;
  try {
    return { organization, agent, line: await outboundLine(records, orgId, { numberId, agentId }) };
  } catch (thrown) {
    if (thrown instanceof RequestError) return thrown.message;
    throw thrown;
  }
}
