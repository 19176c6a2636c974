import type { Call } from '../domain/call.ts';
import type { WebhookMessage, WebhookTarget } from '../ports/webhooks.ts';
import { commonMessage, reportMessage } from './webhook-messages.ts';

/** What a report says beyond the record of the call, and where it goes. */
export interface ReportPlan {
  readonly target: WebhookTarget;
  /** The agent whose webhook settings count; null for the organization's. */
  readonly agentId: string | null;
  readonly numberName: string | null;
  /** The resolved configuration as webhooks show it; null where there was none. */
  readonly assistant: Record<string, unknown> | null;
}

/** The report of a call, to go behind the message that it must not overtake. */
export function callReport(
  { target, agentId, numberName, assistant }: ReportPlan,
  orgId: string,
  call: Call,
  after: string | null,
): WebhookMessage {
  return {
    event: 'end-of-call-report',
    target,
    orgId,
    agentId,
    callId: call.id,
    message: {
      ...commonMessage(call, numberName),
      ...(assistant === null ? {} : { assistant }),
      ...reportMessage(call),
    },
    after,
  };
}
