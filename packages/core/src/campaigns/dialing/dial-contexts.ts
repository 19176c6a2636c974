import { incompletenessOf } from '../../calls/agent-completeness.ts';
import { outboundLine } from '../../calls/outbound-line.ts';
import type { CampaignRecord } from '../../domain/campaign.ts';
import { RequestError } from '../../errors.ts';
import type { Provider } from '../../ports/provider.ts';
import type { Records } from '../../ports/storage/records.ts';
import type { Party } from './campaign-call.ts';

/**
 * Who calls for the campaigns that are looked at together. Most of an organization's call with one agent from one number, which are
 * then read once for all of them.
 */
export class Parties {
  readonly #records: Records;
  readonly #providers: readonly Provider[] | undefined;
  readonly #found = new Map<string, Promise<Party | string>>();

  /** @param providers the registered ones; undefined where they are not known */
  constructor(records: Records, providers: readonly Provider[] | undefined) {
    this.#records = records;
    this.#providers = providers;
  }

  /** Who calls and from where, or why nobody can. */
  async of(orgId: string, campaign: CampaignRecord): Promise<Party | string> {
    const key = `${orgId} ${campaign.agent_id} ${campaign.number_id}`;
    const found = this.#found.get(key) ?? findParty(this.#records, this.#providers, orgId, campaign);
    this.#found.set(key, found);
    return await found;
  }
}

async function findParty(
  records: Records,
  providers: readonly Provider[] | undefined,
  orgId: string,
  campaign: CampaignRecord,
): Promise<Party | string> {
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
