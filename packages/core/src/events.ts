import type { DtmfDigit } from '@va/media';
import type { ConversationNotice } from './conversation/state/effects.ts';
import type { Call } from './domain/calls/call.ts';
import type { Campaign } from './domain/campaigns/campaign.ts';
import type { CostItem } from './domain/costs/cost-item.ts';
import type { WebhookEndpoint } from './domain/webhooks/webhook-endpoint.ts';
import type { WebhookAttempt } from './ports/webhooks.ts';
import type { ProviderFailure } from './providers/provider-watch.ts';

/** Events of the service for its host: `va.events.on('call.notice', …)`. */
export interface ServiceEvents {
  /** A call has begun, in any direction: an incoming call rings, or an outbound call is about to be dialed. */
  'call.created': (event: { orgId: string; call: Call }) => void;
  /** A call was refused, because the node is full or closing. */
  'call.refused': (event: { telephony: string }) => void;
  'call.answered': (event: { orgId: string; call: Call }) => void;
  /** An event of the conversation: speech, a tool call, a measurement. */
  'call.notice': (event: { orgId: string; callId: string; notice: ConversationNotice }) => void;
  'call.dtmf': (event: { orgId: string; callId: string; digit: DtmfDigit }) => void;
  /** A provider failed during a call, whether or not a fallback replaced it. */
  'provider.failed': (event: { orgId: string; callId: string } & ProviderFailure) => void;
  /** A call has ended; `call` is the final record. */
  'call.ended': (event: { orgId: string; call: Call }) => void;
  /**
   * The analysis of a call has ended; summary and analysis are null if they failed. `usage` is what the analysis used,
   * which `call.cost_breakdown` contains too.
   */
  'call.analyzed': (event: { orgId: string; call: Call; usage: readonly CostItem[] }) => void;
  /** A sample of a voice was synthesized; `usage` is what its provider bills, and was charged to the organization. */
  'voice.sampled': (event: { orgId: string; usage: readonly CostItem[] }) => void;
  /** A campaign changed its status, or leads of it changed, in this process. */
  'campaign.updated': (event: { orgId: string; campaign: Campaign }) => void;
  /** A webhook endpoint was disabled, because it answered 410 or failed for days. Setting its URL again enables it. */
  'webhook.disabled': (event: { orgId: string; endpoint: WebhookEndpoint }) => void;
  'webhook.attempt': (attempt: WebhookAttempt) => void;
}

/** Emits an event to the host. Never throws. */
export type EmitServiceEvent = <Name extends keyof ServiceEvents>(
  name: Name,
  event: Parameters<ServiceEvents[Name]>[0],
) => void;
