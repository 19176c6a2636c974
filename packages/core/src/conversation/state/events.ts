import type { CutOff, SpeechTail } from '@va/media';
import type { EndReason } from '../../domain/calls/call.ts';
import type { ToolOutcome } from '../../domain/calls/tool-outcome.ts';
import type { BudgetStatus } from '../../domain/costs/budget-level.ts';
import type { ToolCallRequest } from '../../ports/providers/language-model.ts';
import type { WordTiming } from '../../ports/providers/text-to-speech.ts';
import type { TransferMode, TransferOutcome } from '../../ports/telephony.ts';
import type { ConversationLanguage } from './conversation-language.ts';

/** Timers owned by states. A timer exists as long as the state that requires it; see `timersOf`. */
export type TimerName =
  | 'end-of-turn'
  | 'max-turn'
  | 'no-words'
  | 'greeting'
  | 'preempt'
  | 'turn-model'
  | 'interrupt'
  | 'resume'
  | 'keys'
  | 'filler'
  | 'summary'
  | 'transfer'
  | 'answering'
  | 'silence'
  | 'max-duration'
  | 'hangup'
  | 'sentence-end'
  | 'closing-limit';

type EventContent =
  | { type: 'answered' }
  /** First frame of the far end. */
  | { type: 'media-started' }
  /** A sound that may become speech; `speech-dismissed` follows if it does not. */
  | { type: 'speech-suspected' }
  | { type: 'speech-dismissed' }
  | { type: 'speech-started'; onsetAtMs: number }
  | { type: 'speech-paused'; lastSpeechAtMs: number }
  | { type: 'speech-resumed' }
  | { type: 'speech-ended'; lastSpeechAtMs: number; tail: SpeechTail }
  /** The caller pressed a digit. */
  | { type: 'dtmf'; digit: string }
  /** The caller typed a text and sent it. */
  | { type: 'text-typed'; text: string }
  /** The beep of an answering machine has ended. */
  | { type: 'beep' }
  /** `part` of `finalize-stt` whose audio has these words; null for audio that was not finalized yet. */
  | { type: 'stt-partial'; part: number | null; text: string }
  | { type: 'stt-final'; part: number | null; text: string; language?: string }
  /** All words of a part were reported; null for an answer without a request. */
  | { type: 'stt-finalized'; part: number | null }
  /** The judgement of a recognizer that detects the end of turns. */
  | { type: 'turn-judged'; judgment: 'turn-started' | 'turn-ending' | 'turn-resumed' | 'turn-ended' }
  /** Answer of the turn model to `ask-turn-model`: the probability that the turn is over; null if it gave none. */
  | { type: 'turn-predicted'; request: number; probability: number | null }
  | { type: 'stt-failed'; message: string }
  /** A speech-to-speech model transcribed the caller's turn, possibly long after the reply. */
  | { type: 'user-text'; turn: number; text: string }
  | { type: 'model-lost'; message: string }
  | { type: 'llm-text'; generation: number; text: string }
  | { type: 'llm-tool-call'; generation: number; call: ToolCallRequest }
  | { type: 'llm-done'; generation: number }
  | { type: 'llm-failed'; generation: number; retryable: boolean; message: string }
  | { type: 'tts-audio'; utterance: number; durationMs: number }
  | { type: 'tts-words'; utterance: number; words: readonly WordTiming[] }
  | { type: 'tts-done'; utterance: number }
  | { type: 'tts-failed'; utterance: number; retryable: boolean; message: string }
  | { type: 'playout-started'; utterance: number }
  | { type: 'playout-finished'; utterance: number }
  | { type: 'playout-cleared'; cut: readonly CutOff[] }
  | { type: 'tool-settled'; callId: string; outcome: ToolOutcome }
  /** A running tool has something for the caller to hear. */
  | { type: 'tool-says'; text: string }
  | { type: 'media-lost'; silentMs: number }
  | { type: 'media-failed'; message: string }
  | { type: 'held' }
  | { type: 'resumed' }
  /** Control command: say this. */
  | { type: 'say'; text: string; interruptible: boolean; endAfter: boolean }
  /** Control command: add context for the model. */
  | { type: 'context-injected'; text: string; wantsReply: boolean }
  /** Control command: mute or unmute the agent. */
  | { type: 'mute-changed'; isMuted: boolean }
  /** A person takes over the conversation, or hands it back. */
  | { type: 'taken-over'; isTakenOver: boolean }
  /** Control command: transfer the caller, after the message if there is one. */
  | {
      type: 'transfer-asked';
      destination: string;
      mode: TransferMode;
      keysOnAnswer: string | null;
      message: string | null;
    }
  /** The telephony reports the outcome of a transfer. */
  | { type: 'transfer-settled'; id: number; outcome: TransferOutcome }
  | { type: 'prompt-changed'; languages: readonly ConversationLanguage[] }
  /** A budget of the call has reached a level. */
  | ({ type: 'budget' } & BudgetStatus)
  | { type: 'end'; reason: EndReason; message: string | null }
  | { type: 'leg-ended'; reason: EndReason; error: string | null }
  | { type: 'timer'; name: TimerName };

/** Event of a request to a model. */
export type ModelEvent = Extract<ConversationEvent, { type: 'llm-text' | 'llm-tool-call' | 'llm-done' | 'llm-failed' }>;

/**
 * An event and its time on the call's monotonic clock. Events of cancellable work carry the generation or utterance
 * that they belong to, and events of a recognizer the part of the caller's audio; the reducer drops obsolete events by
 * these.
 */
export type ConversationEvent = EventContent & { readonly atMs: number };
