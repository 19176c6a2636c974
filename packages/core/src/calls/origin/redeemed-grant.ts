import { timestamp } from '../../clock/timestamp.ts';
import type { OrganizationRecord } from '../../domain/accounts/organization.ts';
import type { PublishableKeyRecord } from '../../domain/accounts/publishable-key.ts';
import type { Agent } from '../../domain/agents/agent.ts';
import type { WebCallGrantRecord } from '../../domain/calls/web-call.ts';
import type { CallGrant } from '../../ports/call-display.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import { tokenHash } from '../token.ts';

/** The grant of a redeemed token of a web call, with the records that the call needs. */
export class RedeemedGrant implements CallGrant {
  readonly organization: OrganizationRecord;
  readonly agent: Agent;
  readonly record: WebCallGrantRecord;
  /** The publishable key with which the page requested the token; null if it used none. */
  readonly key: PublishableKeyRecord | null;

  private constructor(
    organization: OrganizationRecord,
    agent: Agent,
    record: WebCallGrantRecord,
    key: PublishableKeyRecord | null,
  ) {
    this.organization = organization;
    this.agent = agent;
    this.record = record;
    this.key = key;
  }

  get callId(): string {
    return this.record.id;
  }

  get origin(): string | null {
    return this.record.origin;
  }

  /**
   * Redeems a token. Returns null if the token is unknown, expired, used, or issued for a page of another origin, if
   * its publishable key was revoked or does not allow the agent, and if organization or agent were deleted. Of
   * concurrent requests on any nodes, at most one gets the grant: the one that deletes the stored token.
   *
   * @param origin value of the header `Origin`; null without
   */
  static async redeem(
    { storage, clock }: { readonly storage: Storage; readonly clock: Clock },
    token: string,
    origin: string | null,
  ): Promise<RedeemedGrant | null> {
    const [found] = await storage.across.webCallGrants.find({ where: { token_hash: tokenHash(token) } }, 1);
    if (found === undefined) return null;
    const { orgId, record } = found;
    if (record.origin !== null && record.origin !== origin) return null;
    const isOurs = await storage.webCallGrants.delete(orgId, record.id, { expires_at: { gte: timestamp(clock) } });
    if (!isOurs) return null;
    const { agent_id: agentId, publishable_key_id: keyId } = record;
    const [organization, agent, key] = await Promise.all([
      storage.organizations.get(orgId, orgId),
      storage.agents.get(orgId, agentId),
      keyId === null ? null : storage.publishableKeys.get(orgId, keyId),
    ]);
    const isRevoked = keyId !== null && (key === null || key.revoked_at !== null || !key.agents.includes(agentId));
    return organization === null || agent === null || isRevoked
      ? null
      : new RedeemedGrant(organization, agent, record, key);
  }
}
