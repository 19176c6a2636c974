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

/** What every call of the service uses. */
export interface CallDependencies {
  readonly storage: Storage;
  /** The id of this process, which stands in the records of its calls. */
  readonly nodeId: () => string;
  /** The storage's own queue, or one in this process. */
  readonly jobs: JobQueue;
  readonly registry: ProviderRegistry;
  /** Where the organizations' own provider keys are. */
  readonly vault: Vault | undefined;
  readonly webhooks: WebhookDispatcher;
  /** Prepares webhooks for the transactions that store what they report. */
  readonly outbox: Pick<WebhookOutbox, 'prepare'>;
  readonly recordings: RecordingStore;
  readonly recordingUrl: (callId: string) => string;
  readonly judge: VadBatcher;
  /** Which providers are worth an attempt. */
  readonly circuits: ProviderCircuits;
  /** Sentences that are always the same. */
  readonly fixedSpeech: FixedSpeechCache;
  readonly ticker: Ticker;
  /** Places a call through the telephony that can. Throws VaError `dial_failed` where none can. */
  readonly dial: (request: DialRequest) => OutgoingCall;
  readonly destinations: Pick<DestinationGuard, 'refusal'>;
  readonly telemetry: Telemetry;
  /** Ends calls that there are no minutes for any more. */
  readonly minutes: MinutesGuard;
  /** What is done when a call is over. */
  readonly afterCall: { plan(ended: EndedCall): PostCallPlan };
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly logger: Logger;
  readonly mediaTimeout: { readonly initialMs: number; readonly generalMs: number };
  /** What a minute costs the organization; null where the host does not say. */
  readonly pricing: Pricing | null;
  /** The host's part of the transaction that ends a call. */
  readonly onCallEnded?: OnCallEnded | undefined;
  /** Announces that calls of campaigns have ended, so that these dial on. */
  readonly campaignChanges: { callEnded(orgId: string, call: Call): void };
  /** Tells the host's listeners; one that throws is logged. */
  readonly emit: <Name extends keyof ServiceEvents>(name: Name, event: Parameters<ServiceEvents[Name]>[0]) => void;
}
