import type { Ticker, VadBatcher } from '@va/media';
import type { Call } from '../domain/calls/call.ts';
import type { ServiceEvents } from '../events.ts';
import type { RandomBytes } from '../ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { JobQueue } from '../ports/jobs.ts';
import type { Logger } from '../ports/logger.ts';
import type { RecordingStore } from '../ports/recordings.ts';
import type { Storage } from '../ports/storage/storage.ts';
import type { DialRequest, OutgoingCall } from '../ports/telephony.ts';
import type { Vault } from '../ports/vault.ts';
import type { WebhookDispatcher } from '../ports/webhooks.ts';
import type { FixedSpeechCache } from '../providers/fixed-speech.ts';
import type { ProviderCircuits } from '../providers/provider-circuits.ts';
import type { WebhookOutbox } from '../webhooks/outbox.ts';
import type { DestinationGuard } from './limits/destination-guard.ts';
import type { MinutesGuard } from './limits/minutes-guard.ts';
import type { EndedCall, OnCallEnded, PostCallPlan, Pricing } from './record/call-end.ts';
import type { ProviderRegistry } from './session/provider-registry.ts';
import type { Telemetry } from './telemetry.ts';

/** Dependencies shared by all calls of a service. */
export interface CallDependencies {
  readonly storage: Storage;
  /** Returns the id of this process, which its call records contain. */
  readonly nodeId: () => string;
  /** The storage's job queue, or one in memory. */
  readonly jobs: JobQueue;
  readonly registry: ProviderRegistry;
  /** Stores customer-supplied provider keys. */
  readonly vault: Vault | undefined;
  readonly webhooks: WebhookDispatcher;
  /** Prepares webhooks for the transactions that store what they report. */
  readonly outbox: Pick<WebhookOutbox, 'prepare'>;
  readonly recordings: RecordingStore;
  readonly recordingUrl: (callId: string) => string;
  readonly judge: VadBatcher;
  /** Circuit breakers of the providers. */
  readonly circuits: ProviderCircuits;
  /** Caches the audio of recurring sentences. */
  readonly fixedSpeech: FixedSpeechCache;
  readonly ticker: Ticker;
  /**
   * Places a call through the first telephony adapter that can.
   * @throws VaError `dial_failed`
   */
  readonly dial: (request: DialRequest) => OutgoingCall;
  readonly destinations: Pick<DestinationGuard, 'refusal'>;
  readonly telemetry: Telemetry;
  /** Ends calls when the organization's minutes are used up. */
  readonly minutes: MinutesGuard;
  /** Plans the work after the end of a call. */
  readonly afterCall: { plan(ended: EndedCall): PostCallPlan };
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly logger: Logger;
  readonly mediaTimeout: { readonly initialMs: number; readonly generalMs: number };
  /** Price per minute; null if the host sets none. */
  readonly pricing: Pricing | null;
  /** The host's hook in the transaction that ends a call. */
  readonly onCallEnded?: OnCallEnded | undefined;
  /** Announces the ends of campaigns' calls, so that the scheduler dials on. */
  readonly campaignChanges: { callEnded(orgId: string, call: Call): void };
  /** Emits an event to the host. Never throws. */
  readonly emit: <Name extends keyof ServiceEvents>(name: Name, event: Parameters<ServiceEvents[Name]>[0]) => void;
}
