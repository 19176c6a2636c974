import type { OrganizationRecord } from '../domain/accounts/organization.ts';
import type { CallRecord } from '../domain/calls/call.ts';
import type { CallCommandRecord, CommandOutcome, ControlCommand } from '../domain/calls/call-control.ts';
import type { OutboundRequest } from './origin/placing.ts';

/** Reserved capacity for one call. */
export interface CallSlot {
  release(): void;
  /** Called when ringing ends, answered or not: stops counting the call as ringing. It stays counted as a call. */
  answered?(): void;
}

/** Places and controls the calls of this process. */
export interface CallControl {
  /** Id of this process, stored in the records of its calls. */
  readonly nodeId: string;
  /**
   * Reserves capacity for one call.
   * @throws RequestError 503 `unavailable` if this process or the cluster is full; 429 `concurrency_limit_exceeded` or
   *   `too_many_ringing_calls` if the organization has used its share
   */
  acquireSlot(organization: Pick<OrganizationRecord, 'id' | 'concurrency_limit'>): Promise<CallSlot>;
  /** Dials in the background and releases the slot at the end of the call. The outcome is stored in the call record. */
  place(request: OutboundRequest, slot: CallSlot): void;
  /**
   * Returns the id of the process that runs a call; null for this one.
   * @throws RequestError 409 `call_not_active` if none does
   */
  nodeOf(call: CallRecord): string | null;
  /**
   * Returns the WebSocket URL at which browsers reach the process that runs a call; null for that of the service.
   * @throws RequestError 409 `call_not_active` if none does; 503 `unavailable` if browsers cannot reach that process
   */
  webCallUrlOf(call: CallRecord): Promise<string | null>;
  /**
   * Executes a command and returns a description of the result.
   * @param traceparent span of the request that issued the command
   * @throws RequestError 409 `call_not_active` if this process does not run the call; 503 `unavailable` if the
   *   telephony adapter does not support the command
   */
  control(callId: string, command: ControlCommand, traceparent: string | null): Promise<string>;
  /**
   * Sends a command to the process named in the record.
   * @throws RequestError 503 `unavailable` if that process does not respond in time
   */
  ask(orgId: string, record: CallCommandRecord): Promise<CommandOutcome>;
}
