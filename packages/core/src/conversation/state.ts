import type { Completeness, SpokenOptions, SpokenSegment } from '@va/language';
import type { TurnLatency } from '../domain/calls/call.ts';
import type { ToolCallRequest } from '../ports/providers/language-model.ts';
import type { WordTiming } from '../ports/providers/text-to-speech.ts';
import type { CallerMute } from './caller-mute.ts';
import type { ConversationConfig, Ending } from './config.ts';
import { type ContextWindow, wholeConversation } from './context/window.ts';
import type { ModelEvent } from './events.ts';
import { emptyLedger, pendingCalls, type ToolLedger } from './tool-ledger.ts';
import type { Entry } from './transcript.ts';
import type { Transfer } from './transfer.ts';
import type { Answering } from './voicemail.ts';

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
  /** When the turn began. */
  readonly startedAtMs: number;
  /** Since when the words are what they are. */
  readonly wordsAtMs: number;
  /** What they tell of whether more will come: judged when they change, as timers ask for it at every step. */
  readonly completeness: Completeness;
  /** When the recognizer was asked in the middle of speech that has no words; null where it was not. */
  readonly probedAtMs: number | null;
  /** How often in this turn a reply was prepared. */
  readonly preemptions: number;
  /** The numbers under which its audio was given to the recognizer. */
  readonly parts: readonly number[];
  /** Whether the agent has answered it before it was over: a "Hello?" is greeted at once. */
  readonly isAnswered: boolean;
}

/** A reply that the model makes while the turn may still go on. Nothing of it is used before the turn is over. */
export interface Preemption {
  readonly generation: number;
  /** The caller's words that it answers. */
  readonly text: string;
  /** How much had been said before them; more by now, and the reply no longer fits. */
  readonly entries: number;
  readonly systemPrompt: ConversationConfig['systemPrompt'];
  readonly parts: readonly PreparedPart[];
  readonly done: boolean;
}

/** What the model has given of a prepared reply, in order. */
export type PreparedPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool-call'; readonly call: ToolCallRequest };

/** One utterance of the agent, from its first clause to the last frame played. */
export interface Speech {
  readonly utterance: number;
  /** Index of its entry in the transcript. */
  readonly entry: number;
  /** How its text is read out. */
  readonly reading: SpokenOptions;
  /** What was given to the synthesizer, piece by piece as written and as spoken; `pushed` is what was written. */
  readonly segments: readonly SpokenSegment[];
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
  /** The reply that a speech-to-speech model speaks by itself here; null where a text is read out. */
  readonly voiceOf: number | null;
  /** Whether the text is the same in other calls. */
  readonly fixed: boolean;
}

/** What a reply's latency is measured from. */
export interface TurnEnd {
  readonly lastSpeechAtMs: number;
  readonly endedAtMs: number;
  /** When its last words were recognized; null where the caller did not speak, or the words came later. */
  readonly wordsAtMs: number | null;
}

export interface ActiveAgentTurn {
  readonly kind: 'active';
  readonly interruptible: boolean;
  /** The request to the model that is running, if any. */
  readonly llm: {
    readonly generation: number;
    readonly retried: boolean;
    readonly entry: number;
    readonly gaveText: boolean;
  } | null;
  /** The transcript entry of the newest request. */
  readonly entry: number | null;
  readonly toolSteps: number;
  readonly speeches: readonly Speech[];
  readonly answers: TurnEnd | null;
  readonly firstTokenAtMs: number | null;
  readonly measured: boolean;
  /** While the agent holds still, in the middle of its speech, to hear whether it is being interrupted. */
  readonly paused: Pause | null;
  /** Since when the caller has been waiting for the agent's next words. */
  readonly waitingSinceMs: number;
  readonly fillers: number;
  /**
   * What the model told from its first tool call on, while the agent held still: nothing is done over an interruption.
   */
  readonly held: readonly ModelEvent[];
}

export interface Pause {
  /** When what may be an interruption was last heard; null while it goes on. */
  readonly quietSinceMs: number | null;
}

/** Keys that the caller has pressed and that are not a turn yet. */
export interface PressedKeys {
  readonly digits: string;
  readonly lastAtMs: number;
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
  readonly replyDue: { readonly answers: TurnEnd | null; readonly toolSteps: number } | null;
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
  startedAtMs: 0,
  wordsAtMs: 0,
  completeness: 'open',
  probedAtMs: null,
  preemptions: 0,
  parts: [],
  isAnswered: false,
};

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
