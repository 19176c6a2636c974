import { within } from '../../async/within.ts';
import type { LeadRecord } from '../../domain/campaigns/lead.ts';
import { toError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';

const askWithinMs = 5_000;

/** A call that a campaign is about to place. */
export interface PlannedCall {
  readonly orgId: string;
  readonly campaignId: string;
  readonly leadId: string;
  /** E.164. */
  readonly phoneNumber: string;
  readonly name: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * The host's decision about each call of a campaign. It is asked before every dial of a lead; false skips the lead. If
 * it throws or does not answer within 5 s, the lead is not called now.
 */
export type MayCall = (planned: PlannedCall) => boolean | Promise<boolean>;

export type Verdict = 'yes' | 'no' | 'unknown';

export async function askHost(
  deps: { readonly mayCall: MayCall | undefined; readonly clock: Clock; readonly logger: Logger },
  orgId: string,
  lead: LeadRecord,
): Promise<Verdict> {
  const { mayCall, clock, logger } = deps;
  if (mayCall === undefined) return 'yes';
  const { id: leadId, campaign_id: campaignId, phone_number: phoneNumber, name, variables } = lead;
  try {
    const asking = Promise.resolve(mayCall({ orgId, campaignId, leadId, phoneNumber, name, variables }));
    // A rejection after the timeout is ignored.
    asking.catch(() => {});
    const answer = await within(askWithinMs, clock, asking);
    if (answer !== null) return answer ? 'yes' : 'no';
    logger.warn({ campaignId, leadId }, 'mayCall timed out; lead not called now');
  } catch (thrown) {
    logger.warn({ err: toError(thrown), campaignId, leadId }, 'mayCall failed; lead not called now');
  }
  return 'unknown';
}
