import type { Agent } from '../../domain/agent.ts';
import type { Call } from '../../domain/call.ts';
import type { OrganizationRecord } from '../../domain/organization.ts';
import type { PhoneNumberRecord } from '../../domain/phone-number.ts';
import type { SipTrunkRecord } from '../../domain/sip-trunk.ts';

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
