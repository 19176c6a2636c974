import type { OrganizationRecord } from '../domain/accounts/organization.ts';
import type { CallRecord } from '../domain/calls/call.ts';
import type { CallCommandRecord, CommandOutcome, ControlCommand } from '../domain/calls/call-control.ts';
import type { OutboundRequest } from './origin/placing.ts';

/** Room for one more call, which is taken until it is given back. */
export interface Room {
  give(): void;
  /** The call rings no more, so that another call of its organization may ring. */
  answered?(): void;
}

/** The calls of this process, for those who are in charge of them. */
export interface CallControl {
  /** The id of this process, for the records of its calls. */
  readonly nodeId: string;
  /**
   * Throws `RequestError`: 503 `unavailable` where this process, or all of them together, take no more calls; 429
   * `concurrency_limit_exceeded` or `too_many_ringing_calls` where the organization has its share of them.
   */
  takeRoom(organization: Pick<OrganizationRecord, 'id' | 'concurrency_limit'>): Promise<Room>;
  /**
   * Dials, and gives the room back when the call is over. Returns at once; what comes of it is in the call's record.
   */
  place(request: OutboundRequest, room: Room): void;
  /** Which process runs a call: null for this one. Throws `RequestError` 409 `call_not_active` where none does. */
  nodeOf(call: CallRecord): string | null;
  /**
   * Carries out a command, and says what was done. Throws `RequestError`: 409 `call_not_active` where the call is not
   * going on in this process, 503 `unavailable` where its telephony adapter cannot do it. `traceparent` names the span
   * of the request that gave it.
   */
  control(callId: string, command: ControlCommand, traceparent: string | null): Promise<string>;
  /**
   * Has the process that the stored record names carry it out. Throws `RequestError` 503 `unavailable` where it does
   * not say what came of it.
   */
  ask(orgId: string, record: CallCommandRecord): Promise<CommandOutcome>;
}
