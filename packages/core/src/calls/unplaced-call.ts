import { toError } from '../errors.ts';
import type { CallDependencies } from './call-dependencies.ts';
import { storeEndedCall } from './call-end.ts';
import { CallEventLog } from './call-event-log.ts';
import { endedChanges } from './call-record.ts';
import { CallWebhooks } from './call-webhooks.ts';
import type { OutboundRequest } from './placing.ts';

/**
 * Ends a call that no telephony adapter can place, with record, webhooks and report like any other failed call. Never
 * rejects.
 */
export async function endUnplaced(
  deps: CallDependencies,
  request: OutboundRequest,
  onStored: () => void,
): Promise<void> {
  const { organization, number, agent } = request;
  const logger = deps.logger.child({ callId: request.call.id });
  const ending = { reason: 'dial_failed', error: 'No telephony adapter of this deployment can place calls.' } as const;
  const call = { ...request.call, ...endedChanges(request.call, ending, null, null, deps.clock) };
  const events = new CallEventLog({ ...deps, logger }, organization.id, call.id, onStored);
  try {
    await storeEndedCall(deps, organization.id, call);
  } catch (thrown) {
    logger.error({ err: toError(thrown) }, 'the ended call could not be stored');
  }
  const webhooks = new CallWebhooks({
    dispatcher: deps.webhooks,
    organization,
    agent,
    numberName: number.name,
    logger,
  });
  events.addStatus(call);
  webhooks.statusChanged(call);
  webhooks.report(call);
  logger.warn({ endReason: ending.reason, error: ending.error }, 'call ended');
  deps.emit('call.ended', { orgId: organization.id, call });
  await events.settled();
}
