import type { ControlCommand } from '../domain/call-control.ts';
import type { OutboundRequest } from './placing.ts';

/** The calls of this process, for those who are in charge of them. */
export interface CallControl {
  /** Dials. Returns at once; what comes of it is in the call's record. */
  place(request: OutboundRequest): void;
  /**
   * Carries out a command, and says what was done. Throws `RequestError`: 409 `call_not_active` where the call is not going on in this
   * process, 503 `unavailable` where its telephony adapter cannot do it.
   */
  control(callId: string, command: ControlCommand): Promise<string>;
  /** Calls `wake` whenever an event of the call was stored by this process, until the returned function is called. */
  onStored(callId: string, wake: () => void): () => void;
}
