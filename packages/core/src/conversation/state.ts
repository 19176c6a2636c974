import type { TurnLatency } from '../domain/call.ts';
import type { WordTiming } from '../ports/text-to-speech.ts';
import type { ConversationConfig, Ending } from './config.ts';
import { emptyLedger, pendingCalls, type ToolLedger } from './tool-ledger.ts';
import type { Entry } from './transcript.ts';

/** The caller's side: quiet, speaking, or done speaking but the turn may still go on. */
export interface UserTurn {
  readonly kind: 'idle' | 'speaking' | 'ending';
  /** When the speech that is going on set in, moved on by its pauses: from here to now it was voiced. */
  readonly voicedSinceMs: number;
  /** Since when the speech pauses; null while it is voiced. */
  readonly pausedAtMs: number | null;
  readonly lastSpeechAtMs: number;
  readonly finals: readonly string[];
  readonly partial: string;
  /** `finalize` requests of this turn that the recognizer has not answered. */
  readonly unsettled: number;
  /** `finalized` answers still to come for turns that ended without them: until then its words are old ones … */
  readonly stale: number;
  /** … or until here: a recognizer that never answers is not waited for. */
  readonly staleUntilMs: number;
  /** Whether the detector heard this turn; words alone also make one. */
  readonly voiced: boolean;
}

/** One utterance of the agent, from its first clause to the last frame played. */
export interface Speech {
  readonly utterance: number;
  /** Index of its entry in the transcript. */
  readonly entry: number;
  /** Text given to the synthesizer. */
  readonly pushed: string;
  /** Text that is not a whole clause yet. */
  readonly pending: string;
  readonly opened: boolean;
  readonly textDone: boolean;
  readonly audioDone: boolean;
  readonly firstPushAtMs: number | null;
  readonly firstAudioAtMs: number | null;
  readonly receivedMs: number;
  readonly words: readonly WordTiming[];
  readonly started: boolean;
  readonly finished: boolean;
  /** Whether this utterance already repeats the rest of one whose synthesis failed. */
  readonly retried: boolean;
}

/** What a reply's latency is measured from. */
export interface TurnEnd {
  readonly lastSpeechAtMs: number;
  readonly endedAtMs: number;
}

export interface ActiveAgentTurn {
  readonly kind: 'active';
  readonly interruptible: boolean;
  /** The request to the model that is running, if any. */
  readonly llm: { readonly generation: number; readonly retried: boolean; readonly entry: number } | null;
  /** The transcript entry of the newest request. */
  readonly entry: number | null;
  readonly toolSteps: number;
  readonly speeches: readonly Speech[];
  readonly answers: TurnEnd | null;
  readonly firstTokenAtMs: number | null;
  readonly measured: boolean;
}

/** The agent's side: silent, or thinking and speaking. */
export type AgentTurn = { readonly kind: 'silent' } | ActiveAgentTurn;

export type Phase =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'open' }
  /** The ending is decided; what is being said is finished first. */
  | { readonly kind: 'closing'; readonly ending: Ending; readonly sinceMs: number; readonly silentAtMs: number | null }
  | { readonly kind: 'closed'; readonly ending: Ending };

export interface ConversationState {
  readonly config: ConversationConfig;
  readonly phase: Phase;
  readonly user: UserTurn;
  readonly agent: AgentTurn;
  /** Interrupted speech of which the playout has not said yet how far it was heard. */
  readonly cutOff: readonly Speech[];
  /** The agent owes a reply and gives it as soon as the floor is free. */
  readonly replyDue: { readonly answers: TurnEnd | null; readonly toolSteps: number } | null;
  readonly entries: readonly Entry[];
  readonly ledger: ToolLedger;
  readonly lastId: number;
  readonly answeredAtMs: number;
  /** Since when neither side has been active; null while one is. */
  readonly quietSinceMs: number | null;
  readonly silencePrompts: number;
  readonly onHold: boolean;
  /** The agent listens and owes its replies, but says nothing. */
  readonly isMuted: boolean;
  readonly latencies: readonly TurnLatency[];
}

export const idleUser: UserTurn = {
  kind: 'idle',
  voicedSinceMs: 0,
  pausedAtMs: null,
  lastSpeechAtMs: 0,
  finals: [],
  partial: '',
  unsettled: 0,
  stale: 0,
  staleUntilMs: 0,
  voiced: false,
};

export function initialState(config: ConversationConfig): ConversationState {
  return {
    config,
    phase: { kind: 'waiting' },
    user: idleUser,
    agent: { kind: 'silent' },
    cutOff: [],
    replyDue: null,
    entries: [],
    ledger: emptyLedger,
    lastId: 0,
    answeredAtMs: 0,
    quietSinceMs: null,
    silencePrompts: 0,
    onHold: false,
    isMuted: false,
    latencies: [],
  };
}

/** Nobody speaks, nothing is being worked on: only then does silence count. */
export function isQuiet(state: ConversationState): boolean {
  return (
    state.phase.kind === 'open' &&
    !state.onHold &&
    !state.isMuted &&
    state.user.kind === 'idle' &&
    state.agent.kind === 'silent' &&
    state.cutOff.length === 0 &&
    state.replyDue === null &&
    pendingCalls(state.ledger).length === 0
  );
}
