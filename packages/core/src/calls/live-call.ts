import { within } from '../async/within.ts';
import type { Ending } from '../conversation/config.ts';
import type { ConversationRunner } from '../conversation/runner.ts';
import type { Call } from '../domain/calls/call.ts';
import type { ControlCommand } from '../domain/calls/call-control.ts';
import { RequestError, toError } from '../errors.ts';
import type { Logger } from '../ports/logger.ts';
import type { MediaLeg, RejectCause } from '../ports/telephony.ts';
import { readOwnKeys } from '../providers/own-keys.ts';
import { FailureReporter, type ProviderWatch } from '../providers/provider-watch.ts';
import type { Assistant } from './assistant.ts';
import type { CallDependencies } from './call-dependencies.ts';
import type { CallOrigin, Line, Resolved } from './call-origin.ts';
import { notActive, Refusal, transferring } from './origin/refusal.ts';
import { costOf, storeAnswered, storeEndedCall } from './record/call-end.ts';
import { CallEventLog } from './record/call-event-log.ts';
import { readCallMedia } from './record/call-media.ts';
import { answeredChanges, endedChanges } from './record/call-record.ts';
import { CallRecording } from './record/call-recording.ts';
import { Scope } from './scope.ts';
import { listProviders, requireProviders } from './session/call-providers.ts';
import { type ConversationSetup, prepareConversation, systemPromptOf } from './session/conversation-setup.ts';
import { Keyterms } from './session/keyterms.ts';
import { ProviderRefusal } from './session/voice.ts';
import type { CallTelemetry } from './telemetry.ts';
import type { Bridge } from './transfer/bridge.ts';
import { storeBridgedTime } from './transfer/bridged-time.ts';
import { askToTakeOver } from './transfer/briefing.ts';
import { Handover, type HandoverOptions } from './transfer/handover.ts';
import { CallWebhooks } from './webhooks/call-webhooks.ts';

/** Maximum extra ringing time of an inbound call while its first message is prepared. */
const greetingLimitMs = 1_000;
/** Maximum time that the end of a call waits for its recording. */
const recordingPatienceMs = 1_000;

/** Runs one call from its start to its report. */
export class LiveCall {
  readonly #deps: CallDependencies;
  readonly #origin: CallOrigin;
  readonly #line: Line;
  readonly #webhooks: CallWebhooks;
  readonly #logger: Logger;
  readonly #scope: Scope;
  readonly #recording: CallRecording;
  readonly #events: CallEventLog;
  readonly #telemetry: CallTelemetry;
  readonly #ended: Promise<Ending>;
  #end: (ending: Ending) => void = () => {};
  #call: Call;
  #runner: ConversationRunner | null = null;
  #keyterms: Keyterms | null = null;
  #assistant: Assistant | null = null;
  #leg: MediaLeg | null = null;
  /** Set after a warm transfer, while the caller talks through the service. */
  #bridge: Bridge | null = null;
  /** Resolves when the recording has all media. */
  #recorded: Promise<void> = Promise.resolve();
  /** Stops watching the organization's minutes. */
  #unwatchMinutes: () => void = () => {};
  /** Writes that must finish before the end is stored. */
  #stored: Promise<void> = Promise.resolve();

  constructor(deps: CallDependencies, origin: CallOrigin, call: Call, onStored: () => void) {
    this.#deps = deps;
    this.#origin = origin;
    this.#line = origin.line;
    this.#call = call;
    this.#logger = deps.logger.child({ callId: call.id });
    this.#scope = new Scope(this.#logger);
    this.#recording = new CallRecording(deps.recordings, this.#logger);
    this.#events = new CallEventLog({ ...deps, logger: this.#logger }, origin.organization.id, call.id, onStored);
    this.#telemetry = deps.telemetry.begin(origin.organization.id, call);
    this.#webhooks = new CallWebhooks({
      dispatcher: deps.webhooks,
      organization: origin.organization,
      agent: origin.agent,
      numberName: origin.number.name,
      isRealtime: (provider) => deps.registry.isRealtime(provider),
      clock: deps.clock,
      logger: this.#logger,
      telemetry: this.#telemetry,
    });
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Resolves when the end of the call is stored. Never rejects. */
  async run(): Promise<void> {
    this.#line.onEnd((end) => {
      if (this.#bridge === null) this.end(this.#origin.endingOf(end, this.#runner !== null));
      else this.#bridge.end();
    });
    void this.#serve();
    await this.#finish(await this.#ended);
    // Only after the end is stored: until then the call's minutes count as used.
    this.#unwatchMinutes();
    if (this.#bridge !== null) await this.#finishBridge(this.#bridge);
  }

  /** Ends the call for an external reason, such as a hang-up or a shutdown. */
  end(ending: Ending): void {
    this.#runner?.dispatch({ type: 'leg-ended', reason: ending.reason, error: ending.error });
    this.#conclude(ending);
    this.#bridge?.end();
  }

  /**
   * Executes a command.
   * @throws RequestError if the call's state does not allow it, or the adapter does not support it
   */
  async control(command: ControlCommand, traceparent: string | null): Promise<string> {
    return await this.#telemetry.command(command.type, traceparent, () => this.#control(command));
  }

  async #control(command: ControlCommand): Promise<string> {
    const runner = this.#runner;
    if (runner === null || this.#scope.signal.aborted) return this.#controlUnanswered(command);
    switch (command.type) {
      case 'say':
        runner.dispatch({
          type: 'say',
          text: command.content,
          interruptible: command.interruptible,
          endAfter: command.end_after,
        });
        return 'The agent says it.';
      case 'inject-context':
        runner.dispatch({ type: 'context-injected', text: command.content, wantsReply: command.trigger_response });
        return 'The agent knows it.';
      case 'end-call':
        runner.dispatch({ type: 'end', reason: 'api_hangup', message: command.message ?? null });
        return 'The call is ending.';
      case 'mute-assistant':
      case 'unmute-assistant':
        runner.dispatch({ type: 'mute-changed', isMuted: command.type === 'mute-assistant' });
        return command.type === 'mute-assistant' ? 'The agent is silent.' : 'The agent speaks again.';
      case 'set-variables':
        return await this.#setVariables(runner, command.variables);
      case 'send-dtmf':
        return this.#sendDtmf(command.digits, command.duration_ms);
      case 'transfer':
        return this.#transfer(runner, command);
    }
  }

  #transfer(runner: ConversationRunner, command: Extract<ControlCommand, { type: 'transfer' }>): string {
    if (!runner.state.config.canTransfer) throw cannot('transfer');
    if (runner.state.phase.kind !== 'open') throw notActive(this.#call.id);
    if (runner.state.transfer !== null) throw transferring(this.#call.id);
    const { destination, mode, message = null } = command;
    runner.dispatch({ type: 'transfer-asked', destination, mode, message });
    return 'The caller is being transferred.';
  }

  #sendDtmf(digits: string, toneMs: number): string {
    if (this.#leg?.sendDtmf === undefined) throw cannot('send-dtmf');
    this.#leg.sendDtmf(digits, toneMs);
    return 'The keys are pressed.';
  }

  #controlUnanswered(command: ControlCommand): string {
    if (command.type !== 'end-call' || this.#scope.signal.aborted) throw notActive(this.#call.id);
    this.#refuseWith(this.#origin.calledOff, 'declined');
    return 'The call is ending.';
  }

  async #setVariables(runner: ConversationRunner, changes: Record<string, unknown>): Promise<string> {
    const variables = { ...this.#call.variables, ...changes };
    this.#call = { ...this.#call, variables };
    this.#keyterms?.setVariables(variables);
    if (this.#assistant !== null) {
      runner.dispatch({ type: 'prompt-changed', systemPrompt: systemPromptOf(this.#assistant, variables) });
    }
    await this.#deps.storage.calls.update(this.#orgId, this.#call.id, { variables }, { status: 'in-progress' });
    return 'The variables are set.';
  }

  get #orgId(): string {
    return this.#origin.organization.id;
  }

  /** Ends the call once; later endings are ignored. Only the record and the report follow. */
  #conclude(ending: Ending): void {
    this.#end(ending);
    this.#scope.close();
    this.#leave(() => (this.#bridge === null ? this.#line.hangup() : this.#bridge.start()));
  }

  /** Isolates a failing adapter: the record is completed and other calls end all the same. */
  #leave(hangUp: () => void): void {
    try {
      hangUp();
    } catch (thrown) {
      this.#logger.error({ err: toError(thrown) }, 'failed to hang up a call');
    }
  }

  async #serve(): Promise<void> {
    try {
      await this.#begin();
      if (this.#scope.signal.aborted) return;
      const resolved = await this.#resolve();
      if (!this.#scope.signal.aborted) await this.#converse(resolved);
    } catch (thrown) {
      this.#refuse(thrown);
    }
  }

  async #begin(): Promise<void> {
    const beginning = this.#origin.begin(this.#call);
    this.#stored = beginning.then(
      () => {},
      () => {},
    );
    const begun = await beginning;
    if (begun === null) {
      this.#conclude(this.#origin.calledOff);
      return;
    }
    this.#call = begun;
    this.#events.addStatus(begun);
    this.#deps.emit('call.created', { orgId: this.#orgId, call: begun });
  }

  async #resolve(): Promise<Resolved> {
    const { signal } = this.#scope;
    const call = this.#call;
    const resolved = await this.#origin.resolve({ call, webhooks: this.#webhooks, logger: this.#logger, signal });
    this.#webhooks.resolved(resolved.agent, resolved.assistant);
    this.#call = { ...this.#call, ...resolved.changes };
    return resolved;
  }

  async #converse({ assistant, rejection }: Resolved): Promise<void> {
    const deps = this.#deps;
    const orgId = this.#orgId;
    const callId = this.#call.id;
    const opening = assistant.recordingEnabled ? this.#recording.open(orgId, callId) : null;
    const providers = requireProviders(assistant, deps.registry, this.#logger);
    const keys = await readOwnKeys(deps, orgId, listProviders(providers));
    const keyterms = new Keyterms(assistant.sttConfig?.keyterms, this.#call.variables);
    this.#keyterms = keyterms;
    const setup: ConversationSetup = {
      ...deps,
      orgId,
      providers,
      assistant: rejection === null ? assistant : { ...assistant, firstMessage: null },
      variables: this.#call.variables,
      keyterms,
      answering: this.#origin.answering,
      greetsWhenHeard: this.#origin.greetsWhenHeard,
      mayTransferTo: (destination) =>
        this.#deps.destinations.refusal({ orgId, callId: this.#call.id, destination, purpose: 'transfer' }),
      handover: this.#handover((leg, summary, signal) => askToTakeOver(setup, leg, summary, signal)),
      keys,
      logger: this.#logger,
      scope: this.#scope,
      runTool: (call, tool, args) => {
        // An async tool survives the end of the call, because nobody waits for it.
        const signal = tool.async ? new AbortController().signal : this.#scope.signal;
        return this.#webhooks.runTool(this.#call, call, tool, args, signal);
      },
      watch: this.#watch(),
      onNotice: (notice) => {
        this.#events.addNotice(notice);
        this.#telemetry.notice(notice);
        deps.emit('call.notice', { orgId, callId, notice });
      },
      onDtmf: (digit) => {
        this.#events.add({ type: 'dtmf', data: { ...digit } });
        deps.emit('call.dtmf', { orgId, callId, digit });
      },
      onEnd: (ending) => this.#conclude(ending),
      onStopping: (stopped) => {
        this.#recorded = stopped;
      },
    };
    const { format } = this.#line;
    const prepared = format === undefined ? null : prepareConversation(setup, format);
    if (prepared !== null) await within(greetingLimitMs, this.#deps.clock, prepared.greetingReady, this.#scope.signal);
    if (this.#scope.signal.aborted) return;
    const leg = await this.#line.connect();
    this.#leg = leg;
    const recording = await opening;
    if (this.#scope.signal.aborted) return;
    this.#stored = this.#storeAnswer();
    this.#assistant = assistant;
    this.#runner = (prepared ?? prepareConversation(setup, leg.format)).begin({ leg, recording });
    if (rejection !== null) this.#runner.dispatch({ type: 'end', reason: 'rejected_by_webhook', message: rejection });
  }

  #watch(): ProviderWatch {
    const about = { orgId: this.#orgId, callId: this.#call.id };
    const failures = new FailureReporter((failure) => this.#deps.emit('provider.failed', { ...about, ...failure }));
    return {
      begin: (provider) => this.#telemetry.request(provider),
      failed: (provider, thrown) => failures.failed(provider, thrown),
    };
  }

  #handover(ask: HandoverOptions['ask']): Handover | null {
    const { transferTrunkId: trunkId, number } = this.#origin;
    if (trunkId === null) return null;
    return new Handover({
      ...{ deps: this.#deps, orgId: this.#orgId, callId: this.#call.id, callerNumber: number.number, trunkId, ask },
      hangUpCaller: () => this.#leave(() => this.#line.hangup()),
      onBridge: (bridge) => {
        this.#bridge = bridge;
      },
    });
  }

  async #storeAnswer(): Promise<void> {
    const { emit, clock } = this.#deps;
    this.#call = { ...this.#call, ...answeredChanges(clock) };
    this.#events.addStatus(this.#call);
    this.#telemetry.answered();
    emit('call.answered', { orgId: this.#orgId, call: this.#call });
    try {
      await storeAnswered(this.#deps, this.#orgId, this.#call, this.#webhooks);
      this.#watchMinutes();
    } catch (thrown) {
      this.#logger.error({ err: toError(thrown) }, 'failed to store the answer of a call');
    }
  }

  #watchMinutes(): void {
    if (this.#origin.organization.minutes_balance === null || this.#scope.signal.aborted) return;
    const ending: Ending = { reason: 'insufficient_credits', error: 'The minutes of the organization have run out.' };
    this.#unwatchMinutes = this.#deps.minutes.watch(this.#orgId, { end: () => this.end(ending) });
  }

  #refuse(thrown: unknown): void {
    // The caller may have hung up while the call was being answered; that ending stands.
    if (this.#scope.signal.aborted) return;
    if (thrown instanceof Refusal) {
      this.#refuseWith(thrown.ending, thrown.rejection);
      return;
    }
    this.#logger.error({ err: toError(thrown) }, 'call failed');
    const reason = thrown instanceof ProviderRefusal ? thrown.reason : 'internal_error';
    this.#refuseWith({ reason, error: toError(thrown).message }, 'error');
  }

  #refuseWith(ending: Ending, cause: RejectCause): void {
    // Recorded before the leg ends, so that this reason counts.
    this.#end(ending);
    this.#leave(() => this.#line.reject(cause));
    this.#conclude(ending);
  }

  async #finish(ending: Ending): Promise<void> {
    const { clock, emit } = this.#deps;
    await this.#stored;
    await within(recordingPatienceMs, clock, this.#recorded);
    const recordingUrl = (await this.#recording.close()) ? this.#deps.recordingUrl(this.#call.id) : null;
    const changes = endedChanges(this.#call, ending, this.#runner?.state ?? null, recordingUrl, clock);
    const media = await readCallMedia(this.#leg, { clock, logger: this.#logger });
    const ended = { ...this.#call, ...changes, media };
    const priced = { ...ended, cost: costOf(ended, this.#deps.pricing) };
    const facts = {
      orgId: this.#orgId,
      call: priced,
      assistant: this.#assistant,
      report: this.#webhooks.reportPlan(priced),
    };
    const plan = this.#deps.afterCall.plan(facts);
    this.#call = plan.call;
    if (await storeEndedCall(this.#deps, this.#orgId, this.#call, this.#webhooks, plan)) plan.begin();
    this.#events.addStatus(this.#call);
    this.#telemetry.ended(this.#call);
    this.#logger.info({ status: this.#call.status, endReason: ending.reason, error: ending.error }, 'call ended');
    emit('call.ended', { orgId: this.#orgId, call: this.#call });
    this.#deps.campaignChanges.callEnded(this.#orgId, this.#call);
    await this.#events.settled();
  }

  async #finishBridge(bridge: Bridge): Promise<void> {
    const unwatch = this.#deps.minutes.watch(this.#orgId, {
      end: () => bridge.end(),
      unrecordedMs: () => bridge.lastedMs,
    });
    await bridge.done;
    try {
      await storeBridgedTime(this.#deps, this.#orgId, this.#call, bridge.lastedMs);
    } catch (thrown) {
      this.#logger.error({ err: toError(thrown) }, 'the time of a bridged call could not be stored');
    } finally {
      // Only after the balance contains that time, which other calls would count on otherwise.
      unwatch();
    }
  }
}

function cannot(what: ControlCommand['type']): RequestError {
  return new RequestError(503, 'unavailable', `The telephony adapter of the call cannot do ${what}.`);
}
