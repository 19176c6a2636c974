import type {
  Call,
  ConversationNotice,
  EndReason,
  HostTool,
  NewAgent,
  NewControlCommand,
  VoiceAgentsOptions,
} from '@va/core';
import type { Provider } from '@va/core/adapter';
import { CallUnderTest } from '../call-under-test.ts';
import type { CustomerServer } from '../scripted/customer-server.ts';
import type { TimedIncomingCall } from '../scripted/timed-leg.ts';
import type { VirtualClock } from '../virtual-clock.ts';

/** Parts of a scenario's call. */
export interface ScenarioParts {
  readonly clock: VirtualClock;
  readonly leg: TimedIncomingCall;
  /** Complete agent, with the ids of its providers. */
  readonly agent: NewAgent;
  readonly providers: readonly Provider[];
  readonly server: CustomerServer;
  readonly tools: readonly HostTool[];
  /** Prices of the service; none by default. */
  readonly pricing?: Pick<VoiceAgentsOptions, 'currency' | 'prices' | 'pricing'>;
  readonly onNotice: (notice: ConversationNotice) => void;
  readonly onEnd: (end: ScenarioRecord) => void;
}

/** Data kept of an ended call. */
export interface ScenarioRecord extends Pick<Call, 'messages' | 'latency'> {
  readonly reason: EndReason;
  readonly error: string | null;
}

/** A call on which a scenario is played. */
export interface ScenarioCall {
  control(command: NewControlCommand): Promise<void>;
  /** Ends the call if it is still running. */
  close(): Promise<void>;
}

/** Starts a call, and resolves when it was answered. All times of the scenario count from then. */
export type OpenScenarioCall = (parts: ScenarioParts) => Promise<ScenarioCall>;

/** Starts a complete service and an inbound call to its agent, and resolves when the call was answered. */
export async function inboundCall(parts: ScenarioParts): Promise<ScenarioCall> {
  const { clock, leg, agent, providers, server, tools, pricing, onNotice, onEnd } = parts;
  const call = new CallUnderTest({ clock, providers, webhooks: server, service: { tools, ...pricing } });
  call.va.events.on('call.notice', ({ notice }) => onNotice(notice));
  call.va.events.on('call.ended', ({ call: { end_reason, error, messages, latency } }) =>
    onEnd({ reason: end_reason ?? 'internal_error', error, messages, latency }),
  );
  await call.start(agent);
  await call.ringUp(leg);
  await call.answered();
  return call;
}
