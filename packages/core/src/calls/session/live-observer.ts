import type { Levels, MediaControl } from '@va/media';
import { timestamp } from '../../clock/timestamp.ts';
import type { ConversationState } from '../../conversation/state/conversation-state.ts';
import type { ConversationNotice } from '../../conversation/state/effects.ts';
import { hasPendingCalls, pendingCalls } from '../../conversation/state/tools/tool-ledger.ts';
import { endOfTurnAtMs } from '../../conversation/turns/turn-rules.ts';
import type { LiveEvent, LiveWait } from '../../domain/calls/live-event.ts';
import type { LiveFeed } from '../../live/live-feed.ts';
import type { DisplayState } from '../../ports/call-display.ts';
import type { Clock } from '../../ports/clock.ts';
import { displayStateOf } from './display-state.ts';

export interface LiveObserverOptions {
  readonly feed: LiveFeed;
  readonly clock: Clock;
  readonly orgId: string;
  readonly callId: string;
}

/** State of a conversation, as live events report it. */
interface Shown {
  readonly state: DisplayState;
  readonly callerSpeaks: boolean;
  readonly waitsFor: LiveWait | null;
  /** Time at which the caller's turn ends without further events; null while it is not ending. */
  readonly endsAtMs: number | null;
  /** Names of the tools that run. */
  readonly tools: readonly string[];
  readonly isMuted: boolean;
  readonly isTakenOver: boolean;
}

/** Minimum change of the expected end of a turn that is published. */
const newsMs = 50;
const noTools: readonly string[] = [];

/** Publishes live events of one conversation to the clients that watch it. */
export class LiveObserver {
  readonly #options: LiveObserverOptions;
  readonly #unregister: () => void;
  /** Last state, for the snapshot that a joining client gets; null before the first state and after the end. */
  #conversation: ConversationState | null = null;
  #shown: Shown | null = null;
  #words = '';
  #isMetered = false;
  /** The last levels; null before they are measured. */
  #levels: Levels | null = null;
  #media: Pick<MediaControl, 'setMetered'> | null = null;
  /** Last state that was compared with its predecessor, while a client watched; null before. */
  #published: ConversationState | null = null;

  constructor(options: LiveObserverOptions) {
    this.#options = options;
    const { feed, orgId, callId } = options;
    this.#unregister = feed.register(orgId, callId, () => this.#snapshot());
  }

  /** Publishes live events for the changes since the last state, if a client watches. */
  observe(next: ConversationState): void {
    this.#conversation = next;
    this.#meter();
    if (!this.#isWatched || next.phase.kind === 'closed') return;
    // Most steps of a conversation change nothing of what is shown.
    const before = this.#published;
    this.#published = next;
    if (before !== null && isUnchanged(before, next)) return;
    const words = next.userTurn.text;
    if (words !== this.#words) {
      this.#words = words;
      this.#publish(this.#partial(words));
    }
    const shown = shownOf(next);
    if (this.#shown !== null && isSame(this.#shown, shown)) return;
    this.#shown = shown;
    this.#publish(this.#stateOf(shown));
  }

  notice(notice: ConversationNotice): void {
    if (!this.#isWatched || notice.type !== 'agent-speaking') return;
    this.#publish({ type: 'agent-speech', ...this.#head(), content: notice.text });
  }

  /** Takes the media of the call, whose loudness is measured while a client watches. */
  opened(media: Pick<MediaControl, 'setMetered'>): void {
    this.#media = media;
    this.#meter();
  }

  levels(levels: Levels): void {
    this.#meter();
    this.#levels = levels;
    if (this.#isWatched) this.#publish(this.#levelsOf(levels));
  }

  /** Removes the call from the snapshots for joining clients, because it is over. */
  close(): void {
    this.#unregister();
    this.#conversation = null;
    this.#media = null;
    this.#published = null;
  }

  get #isWatched(): boolean {
    return this.#options.feed.isWatched(this.#options.orgId);
  }

  #publish(event: LiveEvent): void {
    this.#options.feed.publish(this.#options.orgId, event);
  }

  #meter(): void {
    const isWatched = this.#isWatched;
    if (isWatched === this.#isMetered || this.#media === null) return;
    this.#isMetered = isWatched;
    this.#levels = null;
    this.#media.setMetered(isWatched);
  }

  #snapshot(): readonly LiveEvent[] {
    this.#meter();
    const conversation = this.#conversation;
    if (conversation === null || conversation.phase.kind === 'closed') return [];
    const words = conversation.userTurn.text;
    return [
      this.#stateOf(shownOf(conversation)),
      ...(words === '' ? [] : [this.#partial(words)]),
      ...(this.#levels === null ? [] : [this.#levelsOf(this.#levels)]),
    ];
  }

  #head(): { readonly call_id: string; readonly at: string } {
    return { call_id: this.#options.callId, at: timestamp(this.#options.clock) };
  }

  #levelsOf({ callerDb, agentDb }: Levels): LiveEvent {
    return { type: 'levels', ...this.#head(), caller_db: callerDb, agent_db: agentDb };
  }

  #partial(content: string): LiveEvent {
    return { type: 'partial-transcript', ...this.#head(), role: 'user', content };
  }

  #stateOf(shown: Shown): LiveEvent {
    const { endsAtMs } = shown;
    const remainingMs = endsAtMs === null ? null : Math.max(0, Math.round(endsAtMs - this.#options.clock.nowMs()));
    return {
      type: 'state',
      ...this.#head(),
      state: shown.state,
      caller_speaks: shown.callerSpeaks,
      waits_for: shown.waitsFor,
      remaining_ms: remainingMs,
      tools: [...shown.tools],
      is_muted: shown.isMuted,
      is_taken_over: shown.isTakenOver,
    };
  }
}

/**
 * Returns true if nothing that is shown has changed. A turn that is ending may have changed in any case, because its
 * expected end can depend on every part of the state.
 */
function isUnchanged(before: ConversationState, next: ConversationState): boolean {
  return (
    next.userTurn.kind !== 'ending' &&
    before.agentTurn === next.agentTurn &&
    before.userTurn === next.userTurn &&
    before.reply === next.reply &&
    before.tools === next.tools &&
    before.transfer === next.transfer &&
    before.playout.isMuted === next.playout.isMuted &&
    before.playout.isTakenOver === next.playout.isTakenOver
  );
}

function shownOf(conversation: ConversationState): Shown {
  const { userTurn, playout, tools } = conversation;
  const waitsFor = waitOf(conversation);
  return {
    state: displayStateOf(conversation),
    callerSpeaks: userTurn.kind === 'speaking',
    waitsFor,
    endsAtMs: waitsFor === 'end_of_turn' ? endOfTurnAtMs(conversation) : null,
    tools: hasPendingCalls(tools) ? pendingCalls(tools).map(({ name }) => name) : noTools,
    isMuted: playout.isMuted,
    isTakenOver: playout.isTakenOver,
  };
}

/**
 * Returns true if two states need no event between them. The remaining time passes by itself; only a change of the
 * expected end counts.
 */
function isSame(a: Shown, b: Shown): boolean {
  return (
    a.state === b.state &&
    a.waitsFor === b.waitsFor &&
    a.callerSpeaks === b.callerSpeaks &&
    a.isMuted === b.isMuted &&
    a.isTakenOver === b.isTakenOver &&
    Math.abs((a.endsAtMs ?? 0) - (b.endsAtMs ?? 0)) < newsMs &&
    a.tools.length === b.tools.length &&
    a.tools.every((name, n) => name === b.tools[n])
  );
}

/** Returns what the conversation waits for; null while caller or agent speaks. */
function waitOf({ agentTurn, userTurn, reply, tools, transfer }: ConversationState): LiveWait | null {
  if (transfer.active !== null) return 'transfer';
  if (agentTurn.kind === 'active') {
    if (agentTurn.paused !== null) return 'interruption';
    if (agentTurn.speeches.some(({ started, finished }) => started && !finished)) return null;
    if (hasPendingCalls(tools)) return 'tool';
    return agentTurn.speeches.some(({ pushed, finished }) => pushed !== '' && !finished) ? 'voice' : 'model';
  }
  if (userTurn.kind === 'speaking') return null;
  if (userTurn.kind === 'ending') return 'end_of_turn';
  if (hasPendingCalls(tools)) return 'tool';
  return reply.due === null ? 'caller' : 'model';
}
