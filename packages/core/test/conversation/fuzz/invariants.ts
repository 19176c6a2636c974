import { pausedAfterMs } from '../../../src/conversation/state/caller/turn-prediction.ts';
import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import type { Effect } from '../../../src/conversation/state/effects.ts';
import type { ConversationEvent } from '../../../src/conversation/state/events.ts';
import { closingLimitMs } from '../../../src/conversation/state/phase.ts';
import { timersOf } from '../../../src/conversation/timers.ts';
import { defaultTurnPolicy } from '../../../src/conversation/turns/default-turn-policy.ts';
import { endpointingDelays } from '../../../src/domain/agents/speech/endpointing-presets.ts';

/** Thrown when an invariant of the pipeline does not hold. */
export class BrokenInvariant extends Error {}

function demand(holds: boolean, what: string): void {
  if (!holds) throw new BrokenInvariant(what);
}

const longestGoodbyeMs = 1_000;

/** Checks that an ending call hangs up shortly after the agent's last word, or at once if there is none. */
function checkClosing(state: ConversationState, atMs: number): void {
  const { phase, agentTurn } = state;
  if (phase.kind !== 'closing') return;
  const isDone =
    agentTurn.kind === 'silent' || (agentTurn.llm === null && agentTurn.speeches.every(({ finished }) => finished));
  const hangup = timersOf(state).find(({ name }) => name === 'hangup');
  demand(
    !isDone || (hangup !== undefined && hangup.dueAtMs <= atMs + longestGoodbyeMs),
    'a closing call with nothing left to say hangs up within a second',
  );
}

/** Work that costs money. */
const costly: readonly Effect['type'][] = ['start-llm', 'run-tool', 'prepare-speech', 'transfer'];

/** Checks that a call whose budget is used up ends within 30 s, and begins nothing but its farewell. */
function checkBudget(
  before: ConversationState,
  event: ConversationEvent,
  after: ConversationState,
  effects: readonly Effect[],
): void {
  const { phase } = after;
  const isReached = event.type === 'budget' && event.level === 'reached';
  demand(!isReached || phase.kind !== 'open', 'a call whose budget is used up ends');
  if (phase.kind === 'closing') {
    demand(event.atMs <= phase.sinceMs + closingLimitMs, 'a call that is ending is over within 30 s');
  }
  if (before.phase.kind !== 'closing' || before.phase.ending.reason !== 'budget_exceeded') return;
  demand(!effects.some(({ type }) => costly.includes(type)), 'nothing is begun after the budget is used up');
}

/** Checks that a turn whose words need more does not end by its pause before the policy's delay for such words. */
function checkOpenTurn({ userTurn, config }: ConversationState, event: ConversationEvent): void {
  const isDefault = config.turnPolicy.end === defaultTurnPolicy.end && config.speech.endpointing.mode === 'adaptive';
  if (event.type !== 'timer' || event.name !== 'end-of-turn' || !isDefault) return;
  if (userTurn.completeness !== 'unfinished' && userTurn.completeness !== 'spelling') return;
  const { unfinishedMs } = endpointingDelays(config.speech.endpointing);
  demand(event.atMs >= userTurn.lastSpeechAtMs + unfinishedMs, 'words that need more are waited for');
}

/** Checks that the omitted part of the conversation is a prefix, only grows, and excludes the turn to be answered. */
function checkWindow(before: ConversationState, { context: window, entries, agentTurn }: ConversationState): void {
  if (window === before.context && entries === before.entries && agentTurn === before.agentTurn) return;
  demand(window.from >= before.context.from, 'what was left out does not come back');
  demand(window.summarizedTo <= window.from, 'nothing is said twice, as it was and summed up');
  const turn = entries.findLastIndex(({ role }) => role === 'user');
  demand(turn < 0 || window.from <= turn, "the caller's last turn is never left out");
  if (agentTurn.kind !== 'active') return;
  const writing = agentTurn.llm === null || agentTurn.entry === null ? [] : [agentTurn.entry];
  const saying = agentTurn.speeches.flatMap(({ finished, entry }) => (finished ? [] : [entry]));
  demand(
    [...writing, ...saying].every((entry) => window.from <= entry),
    'what the agent is saying is never left out',
  );
}

/** Checks that a prediction belongs to the current pause, and is changed only by the answer to its request. */
function checkPrediction(before: ConversationState, event: ConversationEvent, after: ConversationState): void {
  const { current } = after.prediction;
  if (current === null) return;
  demand(current.lastSpeechAtMs === pausedAfterMs(after.userTurn), 'a prediction ends with its pause');
  const known = before.prediction.current;
  const isAnswer = event.type === 'turn-predicted' && event.request === current.request;
  demand(
    known?.request !== current.request || isAnswer || known.probability === current.probability,
    'a prediction is the answer to its request',
  );
}

/** Checks the invariants of the reducer for each step and over all steps. */
export class StepWatch {
  readonly #ids = new Set<number>();
  readonly #openUtterances = new Set<number>();
  readonly #runningModels = new Set<number>();
  readonly #outcomes = new Set<string>();
  /** The words of the caller that each request answers. */
  readonly #answered = new Map<number, string>();
  #hangUps = 0;
  #transfer: number | null = null;
  /** The request that the turn model has not answered. */
  #prediction: number | null = null;
  #isCallerMuted = false;
  #isPaused = false;
  #isLowered = false;
  #isTakenOver = false;

  /**
   * Checks one step.
   *
   * @throws {BrokenInvariant} when an invariant does not hold.
   */
  check(
    before: ConversationState,
    event: ConversationEvent,
    after: ConversationState,
    effects: readonly Effect[],
  ): void {
    if (event.type === 'turn-predicted' && event.request === this.#prediction) this.#prediction = null;
    for (const effect of effects) this.#effect(before, effect);
    checkPrediction(before, event, after);
    demand(after.entries.length >= before.entries.length, 'the transcript never loses an entry');
    demand(after.lastId >= before.lastId, 'ids only grow');
    if (after.tools !== before.tools) {
      const outcomes = new Set([...after.tools.values()].map(({ outcome }) => outcome));
      for (const { outcome } of before.tools.values()) {
        demand(outcome === null || outcomes.has(outcome), 'an outcome stands');
      }
    }
    for (const timer of timersOf(after)) demand(timer.dueAtMs > event.atMs, `${timer.name} is not left overdue`);
    if (before.phase.kind === 'closed') demand(after.phase.kind === 'closed', 'the end is final');
    demand((after.phase.kind === 'closed') === this.#hangUps > 0, 'a conversation that is over has hung up');
    const { agentTurn } = after;
    demand(
      (agentTurn.kind === 'active' && agentTurn.paused !== null) === this.#isPaused,
      'the playout pauses as the agent does',
    );
    demand(after.playout.isTakenOver === this.#isTakenOver, 'a person has the floor while their voice is sent');
    demand(after.playout.isLowered === this.#isLowered, 'the playout is lowered as the agent is');
    demand(agentTurn.kind === 'active' || !this.#isLowered, 'nothing is lowered when the agent is silent');
    if (agentTurn.kind === 'active' && agentTurn.llm !== null && agentTurn.held.length === 0) {
      demand(this.#runningModels.has(agentTurn.llm.generation), 'the agent waits for a request that runs');
    }
    if (
      agentTurn.kind === 'active' &&
      agentTurn.llm !== null &&
      before.reply.preemption?.generation === agentTurn.llm.generation
    ) {
      const last = after.entries.findLast((entry) => entry.role === 'user');
      demand(
        this.#answered.get(agentTurn.llm.generation) === last?.text,
        'a prepared reply answers what was said in the end',
      );
    }
    const wanted = [
      agentTurn.kind === 'active' ? agentTurn.llm?.generation : null,
      after.reply.preemption?.generation,
      after.context.summarizing?.generation,
      after.transfer.active?.briefing?.generation,
    ];
    demand(after.caller.mute === null || after.userTurn.kind === 'idle', 'a caller who is not listened to has no turn');
    if (event.type === 'transfer-settled' && event.id === this.#transfer) this.#transfer = null;
    const begun = after.transfer.active?.startedAtMs == null ? null : after.transfer.active.id;
    demand(begun === this.#transfer, 'a transfer that has begun is waited for, or given up');
    demand(after.transfer.completedTo === null || after.phase.kind === 'closed', 'a call that was handed over is over');
    checkWindow(before, after);
    checkClosing(after, event.atMs);
    checkBudget(before, event, after, effects);
    checkOpenTurn(before, event);
    for (const generation of this.#runningModels) {
      demand(wanted.includes(generation), 'no request runs that nobody waits for');
    }
  }

  /** Checks the end of the conversation. */
  checkEnd(state: ConversationState): void {
    demand(this.#hangUps === 1, 'a conversation hangs up once');
    demand(this.#openUtterances.size === 0, 'no utterance is left open');
    for (const [id, { outcome }] of state.tools) demand(outcome !== null, `the call ${id} has an outcome`);
    for (const latency of state.latency.turns) {
      demand(
        Object.values(latency).every((ms) => ms === null || ms >= 0),
        'no latency is negative',
      );
    }
  }

  #effect(before: ConversationState, effect: Effect): void {
    if (before.phase.kind === 'closed') {
      demand(effect.type === 'notice' || effect.type === 'cut-short', 'nothing is done after the end');
    }
    switch (effect.type) {
      case 'start-llm':
        this.#isNew(effect.generation);
        this.#runningModels.add(effect.generation);
        this.#answered.set(effect.generation, effect.messages.findLast(({ role }) => role === 'user')?.content ?? '');
        return;
      case 'cancel-llm':
        this.#runningModels.delete(effect.generation);
        return;
      case 'open-utterance':
        this.#isNew(effect.utterance);
        demand(!this.#isTakenOver, 'the agent says nothing while a person speaks in its place');
        this.#openUtterances.add(effect.utterance);
        return;
      case 'speak':
      case 'end-utterance':
        demand(this.#openUtterances.has(effect.utterance), 'text goes to an utterance that is open');
        return;
      case 'cancel-utterance':
      case 'finish-playout':
        this.#openUtterances.delete(effect.utterance);
        return;
      case 'set-taken-over':
        demand(effect.isTakenOver !== this.#isTakenOver, 'a call is taken over once');
        this.#isTakenOver = effect.isTakenOver;
        return;
      case 'pause-playout':
        demand(!this.#isPaused, 'the playout is paused once');
        this.#isPaused = true;
        return;
      case 'resume-playout':
        demand(this.#isPaused, 'what goes on was paused');
        this.#isPaused = false;
        return;
      case 'set-voice-level':
        demand(this.#isLowered !== effect.db < 0, 'the level changes once');
        this.#isLowered = effect.db < 0;
        return;
      case 'clear-playout':
        this.#isLowered = false;
        this.#isPaused = false;
        return;
      case 'transfer':
        demand(this.#transfer === null, 'one transfer goes on at a time');
        demand(['+31201', '+31202'].includes(effect.destination), 'nobody is called whom the model has made up');
        demand(this.#openUtterances.size === 0, 'the agent has said all before the caller is handed over');
        this.#transfer = effect.id;
        return;
      case 'cancel-transfer':
        demand(this.#transfer === effect.id, 'what is given up was going on');
        this.#transfer = null;
        return;
      case 'ask-turn-model':
        this.#isNew(effect.request);
        demand(this.#prediction === null, 'the turn model has one request at a time');
        this.#prediction = effect.request;
        return;
      case 'cancel-turn-model':
        demand(this.#prediction === effect.request, 'a request that is cancelled was running');
        this.#prediction = null;
        return;
      case 'caller-muted':
        demand(effect.isMuted !== this.#isCallerMuted, 'the caller is muted once');
        this.#isCallerMuted = effect.isMuted;
        return;
      case 'hang-up':
        this.#hangUps += 1;
        return;
      case 'notice':
        if (effect.notice.type !== 'tool-result') return;
        demand(!this.#outcomes.has(effect.notice.callId), 'a tool call has one outcome');
        this.#outcomes.add(effect.notice.callId);
    }
  }

  /** Marks the reply of the model as complete. */
  modelEnded(generation: number): void {
    this.#runningModels.delete(generation);
  }

  #isNew(id: number): void {
    demand(!this.#ids.has(id), 'a number is used once');
    this.#ids.add(id);
  }
}
