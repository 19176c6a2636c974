import type { Ending } from '../conversation/state/phase.ts';
import type { OrganizationRecord } from '../domain/accounts/organization.ts';
import type { Agent } from '../domain/agents/agent.ts';
import type { Call } from '../domain/calls/call.ts';
import type { PhoneNumberRecord } from '../domain/numbers/phone-number.ts';
import type { Logger } from '../ports/logger.ts';
import type { IncomingCall, LegEnd, MediaLeg, RejectCause } from '../ports/telephony.ts';
import type { Resolution } from './origin/resolve-assistant.ts';
import type { ConversationSetup } from './session/conversation-setup.ts';
import type { CallWebhooks } from './webhooks/call-webhooks.ts';

/** The far end of a call in either direction. Each method is idempotent and safe in every state. */
export interface Line {
  /** Expected audio format, if it is known before the connection. */
  readonly format?: IncomingCall['format'];
  /** Answers, or waits for the answer. Rejects if the line ends first. */
  connect(): Promise<MediaLeg>;
  /** Ends the line before it is connected. */
  reject(cause: RejectCause): void;
  hangup(): void;
  /** Calls the listener exactly once; immediately if the line has ended. */
  onEnd(listener: (end: LegEnd) => void): void;
  /** Opens the display of a far end that shows the conversation, such as a web page. */
  openDisplay?: IncomingCall['openDisplay'];
}

/** Input of `CallOrigin.resolve`. */
export interface Resolving {
  readonly call: Call;
  readonly webhooks: CallWebhooks;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

export interface ResolvedOrigin extends Resolution {
  /** Fields of the call record that identify the agent. */
  readonly changes: Partial<Call>;
}

/** The parts of a call's handling that differ between inbound, outbound and web calls. */
export interface CallOrigin {
  readonly organization: OrganizationRecord;
  /** Null for a web call. */
  readonly number: PhoneNumberRecord | null;
  /** The intended agent; null if it is not known yet. */
  readonly agent: Agent | null;
  readonly line: Line;
  /** Settings of answering-machine detection; null without it. */
  readonly answering: ConversationSetup['answering'];
  readonly greetsWhenHeard: boolean;
  /** Keys that are pressed once the call is answered, before the conversation; null for none. */
  readonly keysOnAnswer: string | null;
  /** Trunk through which the service calls transfer destinations; null if only the far end's network can transfer. */
  readonly transferTrunkId: string | null;
  /** Ending of a call that a command ends before the conversation. */
  readonly calledOff: Ending;
  /** Stores the start of the call and returns the stored record; null if the call has ended already. */
  begin(call: Call): Promise<Call | null>;
  /** @throws Refusal if no agent takes the call; VaError if the agent cannot hold a conversation */
  resolve(resolving: Resolving): Promise<ResolvedOrigin>;
  endingOf(end: LegEnd, isAnswered: boolean): Ending;
}
