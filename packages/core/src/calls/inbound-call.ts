import type { Ending } from '../conversation/config.ts';
import type { ConversationRunner } from '../conversation/runner.ts';
import type { Call } from '../domain/call.ts';
import { toError } from '../errors.ts';
import type { Logger } from '../ports/logger.ts';
import type { RecordingSink } from '../ports/recordings.ts';
import type { IncomingCall, RejectCause } from '../ports/telephony.ts';
import { type Assistant, type AssistantAnswer, applyAnswer, assistantOf, emptyAssistant } from './assistant.ts';
import type { CallDependencies } from './call-dependencies.ts';
import { answeredChanges, endedChanges } from './call-record.ts';
import { CallWebhooks } from './call-webhooks.ts';
import { requireProviders, startConversation } from './conversation-setup.ts';
import { legEnding } from './ending.ts';
import type { Route } from './routing.ts';
import { Scope } from './scope.ts';

/** A call that is not to be answered, and how the caller is told. */
class Refusal extends Error {
  readonly ending: Ending;
  readonly rejection: RejectCause;

  constructor(ending: Ending, rejection: RejectCause) {
    super(ending.error ?? ending.reason);
    this.ending = ending;
    this.rejection = rejection;
  }
}

/** The life of one inbound call, from ringing to the report. */
export class InboundCall {
  readonly #deps: CallDependencies;
  readonly #route: Route;
  readonly #incoming: IncomingCall;
  readonly #webhooks: CallWebhooks;
  readonly #logger: Logger;
  readonly #scope: Scope;
  #call: Call;
  #runner: ConversationRunner | null = null;
  #recording: RecordingSink | null = null;
  #answered: Promise<void> = Promise.resolve();
  #end: (ending: Ending) => void = () => {};
  readonly #ended: Promise<Ending>;

  constructor(deps: CallDependencies, route: Route, incoming: IncomingCall, call: Call) {
    this.#deps = deps;
    this.#route = route;
    this.#incoming = incoming;
    this.#call = call;
    this.#logger = deps.logger.child({ callId: call.id });
    this.#scope = new Scope(this.#logger);
    this.#webhooks = new CallWebhooks({
      dispatcher: deps.webhooks,
      organization: route.organization,
      agent: route.agent,
      numberName: route.number.name,
      logger: this.#logger,
    });
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Resolves when all is over and stored. Never rejects. */
  async run(): Promise<void> {
    const { storage, emit } = this.#deps;
    const { organization } = this.#route;
    this.#incoming.onEnd((end) => this.#legEnded(legEnding(end, this.#runner !== null)));
    try {
      await storage.calls.insert(organization.id, this.#call);
      emit('call.created', { orgId: organization.id, call: this.#call });
      const assistant = await this.#resolveAssistant();
      if (!this.#scope.signal.aborted) await this.#converse(assistant);
    } catch (thrown) {
      this.#refuse(thrown);
    }
    await this.#finish(await this.#ended);
  }

  /** Ends the call for a reason of the service's own, such as its shutdown. */
  end(ending: Ending): void {
    if (this.#runner === null) this.#legEnded(ending);
    else this.#runner.dispatch({ type: 'leg-ended', reason: ending.reason, error: ending.error });
  }

  #legEnded(ending: Ending): void {
    this.#runner?.dispatch({ type: 'leg-ended', reason: ending.reason, error: ending.error });
    this.#conclude(ending);
  }

  /** The first ending counts. From here on nothing of the call goes on but its record and report. */
  #conclude(ending: Ending): void {
    this.#end(ending);
    this.#scope.close();
    this.#incoming.hangup();
  }

  async #resolveAssistant(): Promise<{ assistant: Assistant; rejection: string | null }> {
    const { agent, number } = this.#route;
    if (!number.is_active || agent?.is_active === false) {
      throw new Refusal(
        { reason: 'rejected_inactive', error: 'The number or its agent is not active.' },
        'unavailable',
      );
    }
    this.#incoming.ring();
    const answer = await this.#webhooks.askForAssistant(this.#call, this.#scope.signal);
    const saved = await this.#savedAssistant(answer);
    if (saved === null)
      throw new Refusal({ reason: 'no_agent', error: 'No agent is assigned to the number.' }, 'unavailable');
    const assistant = answer === null ? saved : applyAnswer(saved, answer);
    requireProviders(assistant, this.#deps.registry);
    this.#webhooks.resolved(assistant);
    return { assistant, rejection: answer?.error ?? null };
  }

  async #savedAssistant(answer: AssistantAnswer | null): Promise<Assistant | null> {
    const { agent, organization } = this.#route;
    if (answer?.assistantId != null) {
      const named = await this.#deps.storage.agents.get(organization.id, answer.assistantId);
      if (named !== null) return assistantOf(named);
      this.#logger.warn({ assistantId: answer.assistantId }, 'assistant-request named an agent that does not exist');
    }
    if (agent !== null) return assistantOf(agent);
    return answer?.assistant == null ? null : emptyAssistant;
  }

  async #converse({ assistant, rejection }: { assistant: Assistant; rejection: string | null }): Promise<void> {
    const deps = this.#deps;
    const { organization } = this.#route;
    const [leg, recording] = await Promise.all([
      this.#incoming.answer(),
      assistant.recordingEnabled ? this.#openRecording() : null,
    ]);
    this.#recording = recording;
    if (this.#scope.signal.aborted) return;
    this.#answered = this.#storeAnswer();
    this.#runner = startConversation({
      ...deps,
      assistant: rejection === null ? assistant : { ...assistant, firstMessage: null },
      leg,
      recording,
      detector: deps.vad,
      logger: this.#logger,
      scope: this.#scope,
      runTool: (call, tool, args) => this.#webhooks.runTool(this.#call, call, tool, args, this.#scope.signal),
      onNotice: (notice) => deps.emit('call.notice', { orgId: organization.id, callId: this.#call.id, notice }),
      onDtmf: (digit) => deps.emit('call.dtmf', { orgId: organization.id, callId: this.#call.id, digit }),
      onEnd: (ending) => this.#conclude(ending),
    });
    if (rejection !== null) this.#runner.dispatch({ type: 'end', reason: 'rejected_by_webhook', message: rejection });
  }

  /** A disk that fails costs the recording, not the call. */
  async #openRecording(): Promise<RecordingSink | null> {
    try {
      return await this.#deps.recordings.create(this.#route.organization.id, this.#call.id);
    } catch (thrown) {
      this.#logger.error({ err: toError(thrown) }, 'the recording could not be opened');
      return null;
    }
  }

  async #storeAnswer(): Promise<void> {
    const { storage, emit, clock } = this.#deps;
    const { organization } = this.#route;
    this.#call = { ...this.#call, ...answeredChanges(clock) };
    this.#webhooks.statusChanged(this.#call);
    emit('call.answered', { orgId: organization.id, call: this.#call });
    try {
      await storage.calls.update(organization.id, this.#call.id, ['connecting'], this.#call);
    } catch (thrown) {
      this.#logger.error({ err: toError(thrown) }, 'the answered call could not be stored');
    }
  }

  #refuse(thrown: unknown): void {
    if (thrown instanceof Refusal) {
      this.#logger.info({ endReason: thrown.ending.reason }, 'call refused');
      this.#refuseWith(thrown.ending, thrown.rejection);
      return;
    }
    // The caller may have gone while the call was being answered; that ending came first and stands.
    if (!this.#scope.signal.aborted) this.#logger.error({ err: toError(thrown) }, 'call failed');
    this.#refuseWith({ reason: 'internal_error', error: toError(thrown).message }, 'error');
  }

  #refuseWith(ending: Ending, cause: RejectCause): void {
    // Before the leg ends by it: this is why.
    this.#end(ending);
    this.#incoming.reject(cause);
    this.#conclude(ending);
  }

  async #finish(ending: Ending): Promise<void> {
    const { storage, clock, emit } = this.#deps;
    const orgId = this.#route.organization.id;
    await this.#answered;
    const recordingUrl = await this.#closeRecording();
    const changes = endedChanges(this.#call, ending, this.#runner?.state ?? null, recordingUrl, clock);
    this.#call = { ...this.#call, ...changes };
    try {
      await storage.calls.update(orgId, this.#call.id, ['connecting', 'in-progress'], changes);
    } catch (thrown) {
      this.#logger.error({ err: toError(thrown) }, 'the ended call could not be stored');
    }
    this.#webhooks.statusChanged(this.#call);
    this.#webhooks.report(this.#call);
    this.#logger.info({ status: this.#call.status, endReason: ending.reason, error: ending.error }, 'call ended');
    emit('call.ended', { orgId, call: this.#call });
  }

  async #closeRecording(): Promise<string | null> {
    if (this.#recording === null) return null;
    try {
      await this.#recording.close();
      return this.#deps.recordingUrl(this.#call.id);
    } catch (thrown) {
      this.#logger.error({ err: toError(thrown) }, 'the recording could not be completed');
      return null;
    }
  }
}
