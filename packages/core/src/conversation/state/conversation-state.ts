import type { AgentPlayout, AgentTurn } from './agent/agent-turn.ts';
import type { LatencyLog } from './agent/latency-log.ts';
import type { Reply } from './agent/reply.ts';
import { type Caller, unknownCaller } from './caller/caller.ts';
import { noPredictions, type TurnPredictions } from './caller/turn-prediction.ts';
import { idleUserTurn, type UserTurn } from './caller/user-turn.ts';
import type { ConversationConfig } from './config.ts';
import { type ContextWindow, wholeConversation } from './context-window.ts';
import type { Opening } from './opening.ts';
import type { Phase } from './phase.ts';
import { emptyLedger, type ToolLedger } from './tools/tool-ledger.ts';
import type { TranscriptEntry } from './transcript.ts';
import type { Transfers } from './transfer.ts';

/**
 * State of one conversation. Immutable: `step` returns a new one. Rules read the parts that they need; `turns/floor.ts`
 * derives who may speak.
 */
export interface ConversationState {
  readonly config: ConversationConfig;
  readonly phase: Phase;
  /** From the answer of the call to the end of the agent's first speech. */
  readonly opening: Opening;
  readonly userTurn: UserTurn;
  /** Answers of the turn model about the caller's turn. */
  readonly prediction: TurnPredictions;
  /** State of the caller beyond the current turn. */
  readonly caller: Caller;
  readonly agentTurn: AgentTurn;
  /** Audible speech of the agent. */
  readonly playout: AgentPlayout;
  /** Replies that are due or being prepared. */
  readonly reply: Reply;
  /** The transcript. */
  readonly entries: readonly TranscriptEntry[];
  /** The part of the transcript that the model gets. */
  readonly context: ContextWindow;
  readonly tools: ToolLedger;
  readonly transfer: Transfers;
  readonly silence: Silence;
  readonly latency: LatencyLog;
  /** Last id given to an utterance, a request to a model, a part of the caller's speech or a transfer. */
  readonly lastId: number;
}

/** Silence of both sides. */
interface Silence {
  /** Since when neither side has been active; null while one is. */
  readonly sinceMs: number | null;
  /** Number of silence prompts since the caller was last active. */
  readonly prompts: number;
}

export function initialState(config: ConversationConfig): ConversationState {
  return {
    config,
    phase: { kind: 'waiting' },
    opening: { answeredAtMs: 0, greetingDueAtMs: null, answering: null, firstSpeech: 'none' },
    userTurn: idleUserTurn,
    prediction: noPredictions,
    caller: unknownCaller,
    agentTurn: { kind: 'silent' },
    playout: {
      cutOff: [],
      isMuted: false,
      isTakenOver: false,
      isLowered: false,
      isOnHold: false,
      firstSoundAtMs: null,
      keys: [],
    },
    reply: { due: null, preemption: null },
    entries: [],
    context: wholeConversation,
    tools: emptyLedger,
    transfer: { active: null, completedTo: null },
    silence: { sinceMs: null, prompts: 0 },
    latency: { turns: [], interruptionsMs: [], prepared: { made: 0, used: 0 } },
    lastId: 0,
  };
}
