import { timestamp } from '../../clock/timestamp.ts';
import type { SupervisionGrantRecord, SupervisionMode } from '../../domain/calls/supervision.ts';
import type { CallGrant } from '../../ports/call-display.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import { tokenHash } from '../token.ts';

/** The grant of a redeemed token with which a browser joins a live call. */
export class SupervisionGrant implements CallGrant {
  readonly orgId: string;
  readonly callId: string;
  readonly mode: SupervisionMode;
  readonly origin = null;

  private constructor(orgId: string, { call_id, mode }: SupervisionGrantRecord) {
    this.orgId = orgId;
    this.callId = call_id;
    this.mode = mode;
  }

  /**
   * Redeems a token. Returns null if it is unknown, expired or used. Of concurrent requests on any nodes, one gets the
   * grant.
   */
  static async redeem(
    { storage, clock }: { readonly storage: Storage; readonly clock: Clock },
    token: string,
  ): Promise<SupervisionGrant | null> {
    const [found] = await storage.across.supervisionGrants.find({ where: { token_hash: tokenHash(token) } }, 1);
    if (found === undefined) return null;
    const { orgId, record } = found;
    const isOurs = await storage.supervisionGrants.delete(orgId, record.id, { expires_at: { gte: timestamp(clock) } });
    return isOurs ? new SupervisionGrant(orgId, record) : null;
  }
}
