import type { SpokenOptions, SpokenSegment } from '@va/language';
import type { WordTiming } from '../../../ports/providers/text-to-speech.ts';
import type { ModelEvent } from '../events.ts';

/** One utterance of the agent, from its first clause to the last frame played. */
export interface Speech {
  readonly utterance: number;
  /** Index of its entry in the transcript. */
  readonly entry: number;
  /** Conversion of its text to the spoken form. */
  readonly reading: SpokenOptions;
  /** Text sent to the synthesizer, piece by piece, as written and as spoken. */
  readonly segments: readonly SpokenSegment[];
  /** Text of all segments sent to the synthesizer so far, as written. */
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
  /** Start of its playout, shifted by the length of later pauses; null before it starts. */
  readonly startedAtMs: number | null;
  readonly finished: boolean;
  /** True if this utterance repeats the rest of one whose synthesis failed. */
  readonly retried: boolean;
  /** Generation of the reply, if a speech-to-speech model produces the audio itself; null if text is synthesized. */
  readonly voiceOf: number | null;
  /** True for a text that recurs in other calls, such as a first message: its audio may come from a cache. */
  readonly fixed: boolean;
}

/** End of the user turn that a reply answers: its latency is measured from here. */
export interface TurnEnd {
  readonly lastSpeechAtMs: number;
  readonly endedAtMs: number;
  /** Time of the last recognized words; null for pressed keys and typed text, and if the words came later. */
  readonly wordsAtMs: number | null;
}

export interface ActiveAgentTurn {
  readonly kind: 'active';
  readonly interruptible: boolean;
  /** The running request to the model. */
  readonly llm: {
    readonly generation: number;
    readonly retried: boolean;
    readonly entry: number;
    readonly gaveText: boolean;
  } | null;
  /** Transcript entry of the newest request. */
  readonly entry: number | null;
  readonly toolSteps: number;
  readonly speeches: readonly Speech[];
  readonly answers: TurnEnd | null;
  readonly firstTokenAtMs: number | null;
  readonly measured: boolean;
  /** Set while playout is paused to find out whether the caller interrupts. */
  readonly paused: Pause | null;
  /** Since when the caller has been waiting for the agent's next words. */
  readonly waitingSinceMs: number;
  readonly fillers: number;
  /**
   * Model events received during a pause, from the first tool call on. They are handled after the pause, because no
   * tool runs before it is known whether the caller interrupts.
   */
  readonly held: readonly ModelEvent[];
}

interface Pause {
  readonly sinceMs: number;
  /** Time at which the possible interruption was last heard; null while it goes on. */
  readonly quietSinceMs: number | null;
}

/** The agent's turn: silent, or thinking and speaking. */
export type AgentTurn = { readonly kind: 'silent' } | ActiveAgentTurn;

/** Keys of one tool call. */
export interface KeyPress {
  /** `0`–`9`, `*`, `#`, `A`–`D`, and `w`/`W` for pauses of 0.5 and 1 s. */
  readonly keys: string;
  readonly toneMs: number;
}

/** State of the agent's audible output: speech, keys and music on hold. */
export interface AgentPlayout {
  /** Interrupted speech whose heard part the playout has not reported yet. */
  readonly cutOff: readonly Speech[];
  /**
   * True while the agent is muted over the API: it listens but says nothing, and a due reply waits for the unmuting.
   */
  readonly isMuted: boolean;
  /** True while a person speaks with the caller in the agent's place. */
  readonly isTakenOver: boolean;
  /** True while the agent's voice is lowered because the caller may be starting to speak. */
  readonly isLowered: boolean;
  /** True while the caller waits for the outcome of a transfer and hears music. */
  readonly isOnHold: boolean;
  /** Time at which the caller first heard the agent. */
  readonly firstSoundAtMs: number | null;
  /** Keys that the model pressed, to be sent once the agent is silent. */
  readonly keys: readonly KeyPress[];
}
