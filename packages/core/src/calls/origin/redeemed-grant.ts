import { hash } from 'node:crypto';
import { timestamp } from '../../clock/timestamp.ts';
import type { OrganizationRecord } from '../../domain/accounts/organization.ts';
import type { Agent } from '../../domain/agents/agent.ts';
import type { WebCallGrantRecord } from '../../domain/calls/web-call.ts';
import type { CallGrant } from '../../ports/call-display.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Storage } from '../../ports/storage/storage.ts';

const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

/** Returns the form in which tokens are stored. */
export function webCallTokenHash(token: string): string {
  return hash('sha256', token);
}

/** A used token, with what the call needs. */
export class RedeemedGrant implements CallGrant {
  readonly organization: OrganizationRecord;
  readonly agent: Agent;
  readonly record: WebCallGrantRecord;

  private constructor(organization: OrganizationRecord, agent: Agent, record: WebCallGrantRecord) {
    this.organization = organization;
    this.agent = agent;
    this.record = record;
  }

  get callId(): string {
    return this.record.id;
  }

  /** Of concurrent requests on any nodes, one at most gets the grant of a token: the one that deletes it. */
  static async redeem(
    { storage, clock }: { readonly storage: Storage; readonly clock: Clock },
    token: string,
  ): Promise<RedeemedGrant | null> {
    if (!tokenPattern.test(token)) return null;
    const [found] = await storage.across.webCallGrants.find({ where: { token_hash: webCallTokenHash(token) } }, 1);
    if (found === undefined) return null;
    const { orgId, record } = found;
    const isOurs = await storage.webCallGrants.delete(orgId, record.id, { expires_at: { gte: timestamp(clock) } });
    if (!isOurs) return null;
    const [organization, agent] = await Promise.all([
      storage.organizations.get(orgId, orgId),
      storage.agents.get(orgId, record.agent_id),
    ]);
    return organization === null || agent === null ? null : new RedeemedGrant(organization, agent, record);
  }
}
