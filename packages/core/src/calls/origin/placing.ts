import type { OrganizationRecord } from '../../domain/accounts/organization.ts';
import type { Agent } from '../../domain/agents/agent.ts';
import type { Call } from '../../domain/calls/call.ts';
import type { PhoneNumberRecord } from '../../domain/numbers/phone-number.ts';
import type { SipTrunkRecord } from '../../domain/numbers/sip-trunk.ts';

export const defaultRingTimeoutSeconds = 60;

/** A call that is to be placed; its record is stored and `queued`. */
export interface OutboundRequest {
  readonly call: Call;
  readonly organization: OrganizationRecord;
  /** Who talks: a saved agent with what was overridden for the call, or one given with the call alone. */
  readonly agent: Agent;
  /** E.164, or a SIP address. */
  readonly destination: string;
  readonly number: PhoneNumberRecord;
  readonly trunk: SipTrunkRecord;
  readonly ringTimeoutSeconds: number;
}
