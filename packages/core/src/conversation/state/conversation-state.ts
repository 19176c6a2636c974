import type { TurnLatency } from '../../domain/calls/call.ts';
import type { AgentTurn, Speech } from './agent-turn.ts';
import type { CallerMute, PressedKeys } from './caller.ts';
import type { ConversationConfig } from './config.ts';
import { type ContextWindow, wholeConversation } from './context-window.ts';
import type { Answering } from './opening.ts';
import type { Phase } from './phase.ts';
import type { DueReply, Preemption } from './reply.ts';
import { emptyLedger, pendingCalls, type ToolLedger } from './tool-ledger.ts';
import type { Entry } from './transcript.ts';
import type { Transfer } from './transfer.ts';
import { idleUser, type UserTurn } from './user-turn.ts';

export interface ConversationState {
  readonly config: ConversationConfig;
  readonly phase: Phase;
  /** While it is not known who has answered. */
  readonly answering: Answering | null;
  readonly user: UserTurn;
  readonly keys: PressedKeys | null;
  readonly preemption: Preemption | null;
  /** How long this caller's pauses within a turn have been; null while there were none. */
  readonly learnedPauseMs: number | null;
  readonly agent: AgentTurn;
  /** When the caller first heard the agent. */
  readonly firstSoundAtMs: number | null;
  /** Interrupted speech of which the playout has not said yet how far it was heard. */
  readonly cutOff: readonly Speech[];
  /** The agent owes a reply and gives it as soon as the floor is free. */
  readonly replyDue: DueReply | null;
  readonly entries: readonly Entry[];
  /** Which of the entries the model still gets. */
  readonly window: ContextWindow;
  readonly ledger: ToolLedger;
  /** The caller is being handed over. */
  readonly transfer: Transfer | null;
  /** Whom the caller was handed over to. */
  readonly transferredTo: string | null;
  readonly lastId: number;
  readonly answeredAtMs: number;
  /** Since when neither side has been active; null while one is. */
  /** When the first message is said at the latest, where it waits for the far end; null once it is said. */
  readonly greetingDueAtMs: number | null;
  readonly quietSinceMs: number | null;
  readonly silencePrompts: number;
  /** How often in a row the caller spoke, and no word was understood. */
  readonly unrecognized: number;
  readonly onHold: boolean;
  /** While the caller is not listened to. */
  readonly callerMute: CallerMute | null;
  /** How far the agent is with what it says first. */
  readonly firstSpeech: 'none' | 'going' | 'over';
  /** The agent listens and owes its replies, but says nothing. */
  readonly isMuted: boolean;
  readonly latencies: readonly TurnLatency[];
  readonly interruptionsMs: readonly number[];
}

export function initialState(config: ConversationConfig): ConversationState {
  return {
    config,
    phase: { kind: 'waiting' },
    answering: null,
    user: idleUser,
    keys: null,
    preemption: null,
    learnedPauseMs: null,
    agent: { kind: 'silent' },
    firstSoundAtMs: null,
    cutOff: [],
    replyDue: null,
    entries: [],
    window: wholeConversation,
    ledger: emptyLedger,
    transfer: null,
    transferredTo: null,
    lastId: 0,
    answeredAtMs: 0,
    greetingDueAtMs: null,
    quietSinceMs: null,
    silencePrompts: 0,
    unrecognized: 0,
    onHold: false,
    callerMute: null,
    firstSpeech: 'none',
    isMuted: false,
    latencies: [],
    interruptionsMs: [],
  };
}

/** Nobody speaks, nothing is being worked on: only then does silence count. */
export function isQuiet(state: ConversationState): boolean {
  return (
    state.phase.kind === 'open' &&
    state.answering === null &&
    !state.onHold &&
    !state.isMuted &&
    state.user.kind === 'idle' &&
    state.keys === null &&
    state.agent.kind === 'silent' &&
    state.cutOff.length === 0 &&
    state.replyDue === null &&
    state.transfer === null &&
    pendingCalls(state.ledger).length === 0
  );
}
