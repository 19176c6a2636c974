import type { OrganizationRecord } from '../../domain/accounts/organization.ts';
import type { Agent } from '../../domain/agents/agent.ts';
import type { Call } from '../../domain/calls/call.ts';
import type { PhoneNumberRecord } from '../../domain/numbers/phone-number.ts';
import type { SipTrunkRecord } from '../../domain/numbers/sip-trunk.ts';

export const defaultRingTimeoutSeconds = 60;

/** An outbound call to place; its record is stored as `queued`. */
export interface OutboundRequest {
  readonly call: Call;
  readonly organization: OrganizationRecord;
  /** A saved agent with the call's overrides applied, or one given with the call. */
  readonly agent: Agent;
  /** E.164 number or SIP address. */
  readonly destination: string;
  readonly number: PhoneNumberRecord;
  readonly trunk: SipTrunkRecord;
  readonly ringTimeoutSeconds: number;
  /** Keys that are pressed once the call is answered; null for none. */
  readonly keysOnAnswer: string | null;
}
