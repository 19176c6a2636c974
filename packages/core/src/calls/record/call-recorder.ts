import type { DtmfDigit } from '@va/media';
import { within } from '../../async/within.ts';
import type { ConversationState } from '../../conversation/state/conversation-state.ts';
import type { ConversationNotice } from '../../conversation/state/effects.ts';
import type { Ending } from '../../conversation/state/phase.ts';
import { costFields } from '../../costs/cost-breakdown.ts';
import type { PriceList } from '../../costs/price-list.ts';
import { minutesItems, type Pricing } from '../../costs/pricing.ts';
import type { UsageMeter } from '../../costs/usage-meter.ts';
import type { Call } from '../../domain/calls/call.ts';
import type { CallEvent } from '../../domain/calls/call-event.ts';
import { toError } from '../../errors.ts';
import type { EmitServiceEvent } from '../../events.ts';
import type { RandomBytes } from '../../ids.ts';
import type { Clock } from '../../ports/clock.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import type { Logger } from '../../ports/logger.ts';
import type { RecordingSink, RecordingStore } from '../../ports/recordings.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import type { MediaLeg } from '../../ports/telephony.ts';
import type { WebhookOutbox } from '../../webhooks/outbox.ts';
import type { Assistant } from '../assistant.ts';
import type { CallTelemetry } from '../telemetry.ts';
import type { CallWebhooks } from '../webhooks/call-webhooks.ts';
import { type EndedCall, type OnCallEnded, type PostCallPlan, storeAnswered, storeEndedCall } from './call-end.ts';
import { CallEventLog } from './call-event-log.ts';
import { readCallMedia } from './call-media.ts';
import { answeredChanges, endedChanges } from './call-record.ts';
import { CallRecording } from './call-recording.ts';

/** Maximum time that the end of a call waits for its recording. */
const recordingTimeoutMs = 1_000;

export interface CallRecorderDependencies {
  readonly storage: Storage;
  /** The storage's job queue, or one in memory. */
  readonly jobs: JobQueue;
  /** Prepares webhooks for the transactions that store what they report. */
  readonly outbox: Pick<WebhookOutbox, 'prepare'>;
  readonly recordings: RecordingStore;
  readonly recordingUrl: (callId: string) => string;
  /** Price per minute; null if the host sets none. */
  readonly pricing: Pricing | null;
  readonly prices: PriceList;
  /** Plans the work after the end of a call. */
  readonly afterCall: { plan(ended: EndedCall): PostCallPlan };
  /** The host's hook in the transaction that ends a call. */
  readonly onCallEnded?: OnCallEnded | undefined;
  /** Announces the ends of campaigns' calls, so that the scheduler dials on. */
  readonly campaignPublisher: { callEnded(orgId: string, call: Call): void };
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly logger: Logger;
  /** Emits an event to the host. Never throws. */
  readonly emit: EmitServiceEvent;
}

export interface CallRecorderOptions {
  readonly orgId: string;
  readonly call: Call;
  readonly webhooks: CallWebhooks;
  readonly telemetry: CallTelemetry;
  /** Usage that the call's providers bill. */
  readonly meter: UsageMeter;
  readonly logger: Logger;
  /** Called after each write with the events written. */
  readonly onEventsStored: (events: readonly CallEvent[]) => void;
  /** Called once the end is stored, or given up. */
  readonly onEndStored: () => void;
}

/** The state of a call at its end, from which its final record is made. */
export interface FinalState {
  readonly ending: Ending;
  /** Null if there was no conversation. */
  readonly conversation: ConversationState | null;
  readonly assistant: Assistant | null;
  readonly leg: MediaLeg | null;
}

/** Writes one call: its record, event log, recording and spans, and emits its events to the host. */
export class CallRecorder {
  readonly #deps: CallRecorderDependencies;
  readonly #options: CallRecorderOptions;
  readonly #recording: CallRecording;
  readonly #events: CallEventLog;
  #call: Call;
  /** Writes that must finish before the end is stored. */
  #stored: Promise<unknown> = Promise.resolve();
  /** Resolves when the recording has all media. */
  #recorded: Promise<void> = Promise.resolve();

  constructor(deps: CallRecorderDependencies, options: CallRecorderOptions) {
    const { orgId, call, logger, onEventsStored } = options;
    this.#deps = deps;
    this.#options = options;
    this.#call = call;
    this.#recording = new CallRecording(deps.recordings, logger);
    this.#events = new CallEventLog({ ...deps, logger }, orgId, call.id, onEventsStored);
  }

  /** The record as of now. */
  get call(): Call {
    return this.#call;
  }

  /** Stores the start of the call. Returns false if the call has ended already. */
  async begin(storeStart: (call: Call) => Promise<Call | null>): Promise<boolean> {
    const beginning = storeStart(this.#call);
    this.#stored = beginning.catch(() => null);
    const begun = await beginning;
    if (begun === null) return false;
    this.#call = begun;
    this.#events.addStatus(begun);
    this.#deps.emit('call.created', { orgId: this.#options.orgId, call: begun });
    return true;
  }

  /** Changes fields of the record that are stored with its next write. */
  change(changes: Partial<Call>): void {
    this.#call = { ...this.#call, ...changes };
  }

  /** Replaces and stores the variables of the live call. */
  async setVariables(variables: Record<string, unknown>): Promise<void> {
    this.change({ variables });
    const { orgId } = this.#options;
    await this.#deps.storage.calls.update(orgId, this.#call.id, { variables }, { status: 'in-progress' });
  }

  /** Resolves to null if the recording could not be opened. */
  async openRecording(): Promise<RecordingSink | null> {
    return await this.#recording.open(this.#options.orgId, this.#call.id);
  }

  /** @param flushed resolves when the recording has all media */
  mediaStopping(flushed: Promise<void>): void {
    this.#recorded = flushed;
  }

  notice(notice: ConversationNotice): void {
    const { orgId, telemetry } = this.#options;
    this.#events.addNotice(notice);
    telemetry.notice(notice);
    this.#deps.emit('call.notice', { orgId, callId: this.#call.id, notice });
  }

  dtmf(digit: DtmfDigit): void {
    this.#events.add({ type: 'dtmf', data: { ...digit } });
    this.#deps.emit('call.dtmf', { orgId: this.#options.orgId, callId: this.#call.id, digit });
  }

  /** Calls `onStored` once the answer is stored; a failure is logged. */
  answered(onStored: () => void): void {
    const { orgId, telemetry } = this.#options;
    this.change(answeredChanges(this.#deps.clock));
    this.#events.addStatus(this.#call);
    telemetry.answered();
    this.#deps.emit('call.answered', { orgId, call: this.#call });
    this.#stored = this.#storeAnswer(onStored);
  }

  async #storeAnswer(onStored: () => void): Promise<void> {
    const { orgId, webhooks, logger } = this.#options;
    try {
      await storeAnswered(this.#deps, orgId, this.#call, webhooks);
      onStored();
    } catch (thrown) {
      logger.error({ err: toError(thrown) }, 'failed to store the answer of a call');
    }
  }

  /** Stores the end of the call and starts the work after it. Never rejects. */
  async finish({ ending, conversation, assistant, leg }: FinalState): Promise<void> {
    const { orgId, webhooks, telemetry, logger, meter } = this.#options;
    const { clock, pricing, afterCall, campaignPublisher, emit } = this.#deps;
    await this.#stored;
    await within(recordingTimeoutMs, clock, this.#recorded);
    const recordingUrl = (await this.#recording.close()) ? this.#deps.recordingUrl(this.#call.id) : null;
    const changes = endedChanges(this.#call, ending, conversation, recordingUrl, clock);
    const media = await readCallMedia(leg, { clock, logger });
    const ended = { ...this.#call, ...changes, media };
    const call = { ...ended, ...costFields([...meter.items(), ...minutesItems(ended, pricing)]) };
    const plan = afterCall.plan({ orgId, call, assistant, report: webhooks.reportPlan(call) });
    this.#call = plan.call;
    const isStored = await storeEndedCall(this.#deps, orgId, plan.call, webhooks, plan);
    this.#options.onEndStored();
    if (isStored) plan.begin();
    this.#events.addStatus(plan.call);
    telemetry.ended(plan.call);
    logger.info({ status: plan.call.status, endReason: ending.reason, error: ending.error }, 'call ended');
    emit('call.ended', { orgId, call: plan.call });
    campaignPublisher.callEnded(orgId, plan.call);
    await this.#events.settled();
  }
}
