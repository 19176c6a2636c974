import type { Ending } from '../conversation/state/phase.ts';
import { mayBeTakenOver } from '../conversation/transfer/take-over.ts';
import { UsageMeter } from '../costs/usage-meter.ts';
import type { Call } from '../domain/calls/call.ts';
import type { ControlCommand } from '../domain/calls/call-control.ts';
import type { CallEvent } from '../domain/calls/call-event.ts';
import type { SupervisionMode } from '../domain/calls/supervision.ts';
import { toError } from '../errors.ts';
import type { LiveFeed } from '../live/live-feed.ts';
import type { Logger } from '../ports/logger.ts';
import type { IncomingCall, MediaLeg, RejectCause } from '../ports/telephony.ts';
import type { WebhookDispatcher } from '../ports/webhooks.ts';
import { FailureReporter, type ProviderWatch } from '../providers/provider-watch.ts';
import type { ToolSources } from '../tools/tool-sources.ts';
import type { CallOrigin, Line, ResolvedOrigin } from './call-origin.ts';
import { executeCommand } from './execute-command.ts';
import { CallBudgets } from './limits/call-budgets.ts';
import type { CreditGuard } from './limits/credit-guard.ts';
import type { MinutesGuard } from './limits/minutes-guard.ts';
import { notActive, Refusal } from './origin/refusal.ts';
import { CallRecorder, type CallRecorderDependencies } from './record/call-recorder.ts';
import { Scope } from './scope.ts';
import { CallSession, type SessionDependencies } from './session/call-session.ts';
import { ConversationDisplay, noPage } from './session/conversation-display.ts';
import { LiveObserver } from './session/live-observer.ts';
import { ProviderRefusal } from './session/speech-session.ts';
import { CallSupervision } from './supervision/call-supervision.ts';
import type { CallTelemetry, Telemetry } from './telemetry.ts';
import { CallTools } from './tools/call-tools.ts';
import { CallerBridge, type TransferDependencies } from './transfer/caller-bridge.ts';
import { CallWebhooks } from './webhooks/call-webhooks.ts';

/** Dependencies of a live call, grouped by the part of the call that uses them. */
export interface LiveCallDependencies {
  readonly session: SessionDependencies;
  readonly record: CallRecorderDependencies;
  readonly transfer: TransferDependencies;
  readonly tools: ToolSources;
  readonly webhooks: WebhookDispatcher;
  readonly telemetry: Telemetry;
  /** Ends calls when the organization's minutes are used up. */
  readonly minutes: Pick<MinutesGuard, 'watch'>;
  /** Ends calls when the organization's credit is used up. */
  readonly credit: Pick<CreditGuard, 'watch'>;
  /** Publishes live events of calls to the clients that watch the organization. */
  readonly live: LiveFeed;
  readonly logger: Logger;
}

/**
 * Runs one call from its start to its report: begin, resolve the agent, converse, end, store. The conversation itself
 * is a {@link CallSession}; what is written of the call, a {@link CallRecorder}.
 */
export class LiveCall {
  readonly #deps: LiveCallDependencies;
  readonly #origin: CallOrigin;
  readonly #line: Line;
  readonly #callId: string;
  readonly #logger: Logger;
  readonly #scope: Scope;
  readonly #telemetry: CallTelemetry;
  readonly #webhooks: CallWebhooks;
  readonly #recorder: CallRecorder;
  readonly #bridge: CallerBridge;
  readonly #meter: UsageMeter;
  readonly #budgets: CallBudgets;
  /** Null for a far end that shows nothing, such as a phone. */
  readonly #display: ConversationDisplay | null;
  /** Publishes live events of the call. */
  readonly #observer: LiveObserver;
  readonly #supervision: CallSupervision;
  readonly #ended: Promise<Ending>;
  #end: (ending: Ending) => void = () => {};
  #leg: MediaLeg | null = null;
  /** Set when the call is answered. */
  #session: CallSession | null = null;
  /** Stops watching the organization's minute balance (`minutes_balance`); a no-op while it is not watched. */
  #unwatchMinutes: () => void = () => {};

  constructor(
    deps: LiveCallDependencies,
    origin: CallOrigin,
    call: Call,
    onEventsStored: (events: readonly CallEvent[]) => void,
  ) {
    const { organization, line, number } = origin;
    const orgId = organization.id;
    const logger = deps.logger.child({ callId: call.id });
    const telemetry = deps.telemetry.begin(orgId, call);
    this.#deps = deps;
    this.#origin = origin;
    this.#line = line;
    this.#callId = call.id;
    this.#logger = logger;
    this.#scope = new Scope(logger);
    this.#telemetry = telemetry;
    this.#webhooks = new CallWebhooks({
      dispatcher: deps.webhooks,
      organization,
      agent: origin.agent,
      numberName: number?.name ?? null,
      isRealtime: (provider) => deps.session.registry.isRealtime(provider),
      clock: deps.session.clock,
      logger,
      telemetry,
    });
    this.#meter = new UsageMeter(deps.record.prices, deps.session.clock);
    this.#budgets = new CallBudgets({
      orgId,
      meter: this.#meter,
      pricing: deps.record.pricing,
      currency: deps.record.prices.currency,
      credit: deps.credit,
      clock: deps.session.clock,
      logger,
      onStatus: (status) => this.#session?.runner?.dispatch({ type: 'budget', ...status }),
    });
    this.#recorder = new CallRecorder(deps.record, {
      orgId,
      call,
      webhooks: this.#webhooks,
      telemetry,
      meter: this.#meter,
      logger,
      onEventsStored,
      onEndStored: () => this.#budgets.stop(),
    });
    this.#bridge = new CallerBridge(deps.transfer, {
      orgId,
      callId: call.id,
      callerNumber: number?.number ?? '',
      trunkId: origin.transferTrunkId,
      hangUpCaller: () => this.#leave(() => line.hangup()),
      logger,
    });
    const display = line.openDisplay?.({
      text: (text) => this.#session?.runner?.dispatch({ type: 'text-typed', text }),
    });
    this.#display = display === undefined ? null : new ConversationDisplay(display);
    this.#observer = new LiveObserver({ feed: deps.live, clock: deps.session.clock, orgId, callId: call.id });
    this.#supervision = new CallSupervision({ takeOver: (isTakenOver) => this.#takeOver(isTakenOver), logger });
    this.#ended = new Promise((resolve) => {
      this.#end = (ending) => {
        resolve(ending);
        this.#display?.ended(ending.reason);
        this.#observer.close();
        this.#supervision.close(ending.reason);
      };
    });
  }

  /** Resolves when the end of the call is stored. Never rejects. */
  async run(): Promise<void> {
    this.#line.onEnd((end) => {
      if (this.#bridge.isAccepted) this.#bridge.end();
      else this.end(this.#origin.endingOf(end, this.#session?.runner != null));
    });
    void this.#serve();
    await this.#finish(await this.#ended);
    // Only after the end is stored: until then the call's minutes count as used.
    this.#unwatchMinutes();
    await this.#bridge.finish(this.#recorder.call);
  }

  /** Ends the call for an external reason, such as a hang-up or a shutdown. */
  end(ending: Ending): void {
    this.#session?.runner?.dispatch({ type: 'leg-ended', reason: ending.reason, error: ending.error });
    this.#conclude(ending);
    this.#bridge.end();
  }

  /** Lets a person join the call. Resolves when they have left. Never rejects. */
  async supervise(incoming: IncomingCall, mode: SupervisionMode): Promise<void> {
    await this.#supervision.join(incoming, mode);
  }

  /**
   * Executes a command.
   * @throws RequestError if the call's state does not allow it, or the adapter does not support it
   */
  async control(command: ControlCommand, traceparent: string | null): Promise<string> {
    return await this.#telemetry.command(command.type, traceparent, () => this.#control(command));
  }

  async #control(command: ControlCommand): Promise<string> {
    if (this.#scope.signal.aborted) throw notActive(this.#callId);
    const runner = this.#session?.runner ?? null;
    if (runner !== null) {
      const setVariables = (changes: Record<string, unknown>): Promise<void> => this.#setVariables(changes);
      return await executeCommand(command, { callId: this.#callId, runner, leg: this.#leg, setVariables });
    }
    if (command.type !== 'end-call') throw notActive(this.#callId);
    this.#refuseWith(this.#origin.calledOff, 'declined');
    return 'The call is ending.';
  }

  async #setVariables(changes: Record<string, unknown>): Promise<void> {
    const variables = { ...this.#recorder.call.variables, ...changes };
    this.#session?.setVariables(variables);
    await this.#recorder.setVariables(variables);
  }

  /** Returns false if the conversation cannot be taken over now. */
  #takeOver(isTakenOver: boolean): boolean {
    const runner = this.#session?.runner ?? null;
    if (runner === null || (isTakenOver && !mayBeTakenOver(runner.state))) return false;
    runner.dispatch({ type: 'taken-over', isTakenOver });
    return true;
  }

  get #orgId(): string {
    return this.#origin.organization.id;
  }

  /** Ends the call once; later endings are ignored. Only the record and the report follow. */
  #conclude(ending: Ending): void {
    this.#end(ending);
    this.#scope.close();
    this.#leave(() => (this.#bridge.isAccepted ? this.#bridge.start() : this.#line.hangup()));
  }

  /**
   * Calls `hangUp` and logs what it throws: a failing adapter must not keep the record from being completed, or other
   * calls from ending.
   */
  #leave(hangUp: () => void): void {
    try {
      hangUp();
    } catch (thrown) {
      this.#logger.error({ err: toError(thrown) }, 'failed to hang up a call');
    }
  }

  async #serve(): Promise<void> {
    try {
      if (!(await this.#recorder.begin((call) => this.#origin.begin(call)))) {
        this.#conclude(this.#origin.calledOff);
        return;
      }
      if (this.#scope.signal.aborted) return;
      const resolved = await this.#resolve();
      if (!this.#scope.signal.aborted) await this.#converse(resolved);
    } catch (thrown) {
      this.#refuse(thrown);
    }
  }

  async #resolve(): Promise<ResolvedOrigin> {
    const { call } = this.#recorder;
    const { signal } = this.#scope;
    const resolved = await this.#origin.resolve({ call, webhooks: this.#webhooks, logger: this.#logger, signal });
    this.#webhooks.resolved(resolved.agent, resolved.assistant);
    this.#recorder.change(resolved.changes);
    return resolved;
  }

  async #converse({ assistant, rejection }: ResolvedOrigin): Promise<void> {
    const opening = assistant.recordingEnabled ? this.#recorder.openRecording() : null;
    const session = await this.#openSession(rejection === null ? assistant : { ...assistant, firstMessage: null });
    await session.greetingReady();
    if (this.#scope.signal.aborted) return;
    const leg = await this.#line.connect();
    this.#leg = leg;
    const recording = await opening;
    if (this.#scope.signal.aborted) return;
    this.#recorder.answered(() => this.#watchMinutes());
    this.#scope.onClose(() => this.#budgets.callOver());
    this.#session = session;
    const runner = session.begin(leg, recording);
    this.#budgets.start(assistant.budget, this.#origin.organization.credit_balance !== null);
    if (rejection !== null) runner.dispatch({ type: 'end', reason: 'rejected_by_webhook', message: rejection });
  }

  async #openSession(assistant: ResolvedOrigin['assistant']): Promise<CallSession> {
    const recorder = this.#recorder;
    return await CallSession.open(this.#deps.session, {
      orgId: this.#orgId,
      callId: this.#callId,
      origin: this.#origin,
      assistant,
      variables: recorder.call.variables,
      logger: this.#logger,
      scope: this.#scope,
      watch: this.#watch(),
      meter: this.#meter,
      handover: (setup) => this.#bridge.handover(setup),
      tools: await this.#openTools(assistant),
      onNotice: (notice) => {
        recorder.notice(notice);
        this.#display?.notice(notice);
        this.#observer.notice(notice);
      },
      onState: (state) => {
        this.#display?.observe(state);
        this.#observer.observe(state);
        this.#supervision.observe(state);
      },
      onMedia: (media, encoding) => {
        this.#observer.opened(media);
        this.#supervision.opened(media, encoding);
      },
      onLevels: (levels) => this.#observer.levels(levels),
      onDtmf: (digit) => recorder.dtmf(digit),
      onEnd: (ending) => this.#conclude(ending),
      onStopping: (stopped) => recorder.mediaStopping(stopped),
    });
  }

  async #openTools({ llmConfig }: ResolvedOrigin['assistant']): Promise<CallTools> {
    const { id, name } = this.#origin.organization;
    const recorder = this.#recorder;
    return await CallTools.open(this.#deps.tools, {
      organization: { id, name },
      tools: llmConfig?.tools ?? [],
      call: () => recorder.call,
      runInPage: async ({ id: toolCallId, name: toolName }, args, signal) =>
        (await this.#display?.runTool({ id: toolCallId, name: toolName, arguments: args }, signal)) ?? noPage,
      runWebhook: (request, tool, args, signal) => this.#webhooks.runTool(recorder.call, request, tool, args, signal),
      clock: this.#deps.session.clock,
      logger: this.#logger,
      signal: this.#scope.signal,
    });
  }

  #watch(): ProviderWatch {
    const { emit } = this.#deps.record;
    const about = { orgId: this.#orgId, callId: this.#callId };
    const failures = new FailureReporter((failure) => emit('provider.failed', { ...about, ...failure }));
    return {
      begin: (provider, model) => this.#telemetry.request(provider, model),
      failed: (provider, thrown) => failures.failed(provider, thrown),
    };
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
    await this.#recorder.finish({
      ending,
      conversation: this.#session?.runner?.state ?? null,
      assistant: this.#session?.assistant ?? null,
      leg: this.#leg,
    });
  }
}
