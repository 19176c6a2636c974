import { toError, VaError } from '../../errors.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { ConversationConfig } from '../state/config.ts';
import { type ConversationState, initialState } from '../state/conversation-state.ts';
import type { ConversationNotice, Effect, LegEffect, TurnModelEffect, VoiceEffect } from '../state/effects.ts';
import type { ConversationEvent, TimerName } from '../state/events.ts';
import type { Ending } from '../state/phase.ts';
import { step } from '../step.ts';
import { timersOf } from '../timers.ts';

/** An event without its time, which the runner adds. */
export type EventInput = ConversationEvent extends infer Event
  ? Event extends unknown
    ? Omit<Event, 'atMs'>
    : never
  : never;

/** Executes effects on recognition, model, synthesis, playout and tools. */
export interface EffectHandler {
  handle(effect: VoiceEffect): void;
}

/** Executes effects on the telephony. */
export interface LegHandler {
  handle(effect: LegEffect): void;
}

/** Executes effects on the turn model. */
export interface TurnModelHandler {
  handle(effect: TurnModelEffect): void;
}

export interface ConversationHost {
  readonly clock: Clock;
  readonly logger: Logger;
  onNotice(notice: ConversationNotice): void;
  /** Called once. */
  onEnd(ending: Ending): void;
  /** Called after each step with the new state. */
  readonly onState?: (state: ConversationState) => void;
  /** Replaces `step`, for tests that observe or break the reducer. */
  readonly advance?: typeof step | undefined;
}

/**
 * Runs the reducer: dispatches events one at a time, executes effects, and maintains the timers that the state
 * requires. Events caused by effects are queued, so that a step is never re-entered.
 */
export class ConversationRunner {
  readonly #host: ConversationHost;
  readonly #queue: ConversationEvent[] = [];
  readonly #timers = new Map<TimerName, { dueAtMs: number; timer: Timer }>();
  #voice: EffectHandler | null = null;
  #leg: LegHandler | null = null;
  #turnModel: TurnModelHandler | null = null;
  #state: ConversationState;
  #running = false;

  constructor(config: ConversationConfig, host: ConversationHost) {
    this.#host = host;
    this.#state = initialState(config);
  }

  get state(): ConversationState {
    return this.#state;
  }

  /** Must be called before the first event. `turnModel` is needed if the configuration has one. */
  connect(voice: EffectHandler, leg: LegHandler, turnModel: TurnModelHandler | null = null): void {
    this.#voice = voice;
    this.#leg = leg;
    this.#turnModel = turnModel;
  }

  dispatch(event: EventInput, atMs: number = this.#host.clock.nowMs()): void {
    this.#queue.push({ ...event, atMs } as ConversationEvent);
    if (this.#running) return;
    this.#running = true;
    try {
      for (let event = this.#queue.shift(); event !== undefined; event = this.#queue.shift()) this.#advance(event);
    } finally {
      this.#running = false;
    }
    this.#syncTimers();
  }

  #advance(event: ConversationEvent): void {
    try {
      const { state, effects } = (this.#host.advance ?? step)(this.#state, event);
      this.#state = state;
      this.#host.onState?.(state);
      for (const effect of effects) this.#carryOut(effect);
    } catch (thrown) {
      // An internal error must end only this call, and never reach the media tick that dispatched the event.
      this.#host.logger.error({ err: toError(thrown), event: event.type }, 'conversation step failed');
      this.#queue.length = 0;
      this.#state = { ...this.#state, phase: { kind: 'closed', ending: internalError(thrown) } };
      this.#host.onEnd(internalError(thrown));
    }
  }

  #carryOut(effect: Effect): void {
    if (effect.type === 'notice') this.#host.onNotice(effect.notice);
    else if (effect.type === 'hang-up') this.#host.onEnd(effect.ending);
    else if (this.#voice === null || this.#leg === null) {
      throw new VaError('internal_error', 'The conversation was not connected.');
    } else if (isLegEffect(effect)) this.#leg.handle(effect);
    else if (effect.type === 'ask-turn-model' || effect.type === 'cancel-turn-model') this.#turnModel?.handle(effect);
    else this.#voice.handle(effect);
  }

  #syncTimers(): void {
    const wanted = timersOf(this.#state);
    for (const [name, { dueAtMs, timer }] of this.#timers) {
      if (wanted.some((each) => each.name === name && each.dueAtMs === dueAtMs)) continue;
      timer.cancel();
      this.#timers.delete(name);
    }
    for (const { name, dueAtMs } of wanted) {
      if (this.#timers.has(name)) continue;
      const delayMs = Math.max(0, dueAtMs - this.#host.clock.nowMs());
      const timer = this.#host.clock.setTimer(delayMs, () => {
        this.#timers.delete(name);
        this.dispatch({ type: 'timer', name }, Math.max(dueAtMs, this.#host.clock.nowMs()));
      });
      this.#timers.set(name, { dueAtMs, timer });
    }
  }
}

function isLegEffect(effect: Effect): effect is LegEffect {
  return effect.type === 'transfer' || effect.type === 'cancel-transfer' || effect.type === 'press-keys';
}

function internalError(thrown: unknown): Ending {
  return { reason: 'internal_error', error: toError(thrown).message };
}

/** The part of the media plane that the conversation controls. */
export interface PlayoutControl {
  open(utterance: number): void;
  play(utterance: number, audio: Uint8Array): void;
  finish(utterance: number): void;
  clear(): void;
  pause(): void;
  resume(): void;
  /** Changes the level of the agent's voice to this many dB, 0 or less. */
  setLevel(db: number): void;
  /** Begins or ends the music on hold. */
  setHold(isOnHold: boolean): void;
  /** Sends the voice of a person in place of the agent's audio, or ends that. */
  setTakenOver(isTakenOver: boolean): void;
}
