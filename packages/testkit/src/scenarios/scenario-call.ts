import type { Call, ConversationNotice, EndReason, NewAgent, NewControlCommand, Provider } from '@va/core';
import { CallUnderTest } from '../call-under-test.ts';
import type { CustomerServer } from '../scripted/customer-server.ts';
import type { TimedIncomingCall } from '../scripted/timed-leg.ts';
import type { VirtualClock } from '../virtual-clock.ts';

/** What a scenario's call is made of. */
export interface ScenarioParts {
  readonly clock: VirtualClock;
  readonly leg: TimedIncomingCall;
  /** Whole, with the providers' ids. */
  readonly agent: NewAgent;
  readonly providers: readonly Provider[];
  readonly server: CustomerServer;
  readonly onNotice: (notice: ConversationNotice) => void;
  readonly onEnd: (end: ScenarioRecord) => void;
}

/** What is kept of a call that is over. */
export interface ScenarioRecord extends Pick<Call, 'messages' | 'latency'> {
  readonly reason: EndReason;
  readonly error: string | null;
}

/** A call that a scenario is played on. */
export interface ScenarioCall {
  control(command: NewControlCommand): Promise<void>;
  /** Also ends the call, where it still goes on. */
  close(): Promise<void>;
}

/** Brings the call up to its answer, from which all times count. */
export type OpenScenarioCall = (parts: ScenarioParts) => Promise<ScenarioCall>;

/** Plays on a whole service, which the caller calls. */
export async function inboundCall(parts: ScenarioParts): Promise<ScenarioCall> {
  const { clock, leg, agent, providers, server, onNotice, onEnd } = parts;
  const call = new CallUnderTest({ clock, providers, webhooks: server });
  call.va.events.on('call.notice', ({ notice }) => onNotice(notice));
  call.va.events.on('call.ended', ({ call: { end_reason, error, messages, latency } }) =>
    onEnd({ reason: end_reason ?? 'internal_error', error, messages, latency }),
  );
  await call.start(agent);
  await call.ringUp(leg);
  await call.answered();
  return call;
}
