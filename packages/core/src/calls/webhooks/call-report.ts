import type { Call } from '../../domain/calls/call.ts';
import type { WebhookMessage, WebhookTarget } from '../../ports/webhooks.ts';
import { commonMessage, reportMessage } from './webhook-messages.ts';

/** Content of a report beyond the record of the call, and its destination. */
export interface ReportPlan {
  readonly target: WebhookTarget;
  /** The agent whose webhook settings apply; null: those of the organization. */
  readonly agentId: string | null;
  readonly numberName: string | null;
  /** The resolved configuration in its webhook form; null if there was none. */
  readonly assistant: Record<string, unknown> | null;
}

/** Returns the end-of-call report of a call. */
export function callReport(
  { target, agentId, numberName, assistant }: ReportPlan,
  orgId: string,
  call: Call,
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
  };
}
