import type { DtmfDigit } from '@va/media';
import type { ConversationNotice } from './conversation/effects.ts';
import type { Call } from './domain/calls/call.ts';
import type { Campaign } from './domain/campaigns/campaign.ts';
import type { WebhookEndpoint } from './domain/webhooks/webhook-endpoint.ts';
import type { WebhookAttempt } from './ports/webhooks.ts';
import type { ProviderFailure } from './providers/provider-watch.ts';

/** What the service tells its host while it runs: `va.events.on('call.notice', …)`. */
export interface ServiceEvents {
  /** A call came in and is ringing. */
  'call.created': (event: { orgId: string; call: Call }) => void;
  /** A call was not let in: the node has as many as it takes, or is closing. */
  'call.refused': (event: { telephony: string }) => void;
  'call.answered': (event: { orgId: string; call: Call }) => void;
  /** Something was said, heard, called or measured. */
  'call.notice': (event: { orgId: string; callId: string; notice: ConversationNotice }) => void;
  'call.dtmf': (event: { orgId: string; callId: string; digit: DtmfDigit }) => void;
  /** A provider failed a call, whether or not another took its place. */
  'provider.failed': (event: { orgId: string; callId: string } & ProviderFailure) => void;
  /** The final record. */
  'call.ended': (event: { orgId: string; call: Call }) => void;
  /** The record with its summary and analysis, or without them where they could not be had. */
  'call.analyzed': (event: { orgId: string; call: Call }) => void;
  /** The status of a campaign has changed, or leads of it have, in this process. */
  'campaign.updated': (event: { orgId: string; campaign: Campaign }) => void;
  /**
   * A server of a customer is sent nothing any more: it answered 410, or failed for days. Setting its URL again enables
   * it.
   */
  'webhook.disabled': (event: { orgId: string; endpoint: WebhookEndpoint }) => void;
  'webhook.attempt': (attempt: WebhookAttempt) => void;
}

/** Emits an event to the host. Never throws. */
export type EmitServiceEvent = <Name extends keyof ServiceEvents>(
  name: Name,
  event: Parameters<ServiceEvents[Name]>[0],
) => void;
