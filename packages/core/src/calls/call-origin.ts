import type { Ending } from '../conversation/config.ts';
import type { OrganizationRecord } from '../domain/accounts/organization.ts';
import type { Agent } from '../domain/agents/agent.ts';
import type { Call } from '../domain/calls/call.ts';
import type { PhoneNumberRecord } from '../domain/numbers/phone-number.ts';
import type { Logger } from '../ports/logger.ts';
import type { IncomingCall, LegEnd, MediaLeg, RejectCause } from '../ports/telephony.ts';
import type { Resolution } from './origin/resolve-assistant.ts';
import type { ConversationSetup } from './session/conversation-setup.ts';
import type { CallWebhooks } from './webhooks/call-webhooks.ts';

/** The far end of a call, whoever called whom. Each method is idempotent and safe in every state. */
export interface Line {
  /** What it will speak, where that is known before it is connected. */
  readonly format?: IncomingCall['format'];
  /** Answers, or waits for the answer; rejects when the line ends before that. */
  connect(): Promise<MediaLeg>;
  /** Ends it before it was connected. */
  reject(cause: RejectCause): void;
  hangup(): void;
  /** Called exactly once; at once if the line is over already. */
  onEnd(listener: (end: LegEnd) => void): void;
}

/** What a call is resolved with. */
export interface Resolving {
  readonly call: Call;
  readonly webhooks: CallWebhooks;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

export interface Resolved extends Resolution {
  /** What the record then says of who talks. */
  readonly changes: Partial<Call>;
}

/** How a call came about, and what of its life depends on that. */
export interface CallOrigin {
  readonly organization: OrganizationRecord;
  readonly number: PhoneNumberRecord;
  /** Who is meant to talk, as far as it is known. */
  readonly agent: Agent | null;
  readonly line: Line;
  /** Finds out who has answered. */
  readonly answering: ConversationSetup['answering'];
  readonly greetsWhenHeard: boolean;
  /** What transfers of it go through; null where the far end's network has to do them. */
  readonly transferTrunkId: string | null;
  /** How a command ends the call before anybody talks. */
  readonly calledOff: Ending;
  /** Stores the call as it begins, and gives what it then is; null where it is over already. */
  begin(call: Call): Promise<Call | null>;
  /** @throws Refusal where nobody is to talk; VaError where the agent cannot hold a conversation. */
  resolve(resolving: Resolving): Promise<Resolved>;
  endingOf(end: LegEnd, isAnswered: boolean): Ending;
}
