import type { CutOff } from '@va/media';
import type { EndReason } from '../../domain/calls/call.ts';
import type { ToolCallRequest } from '../../ports/providers/language-model.ts';
import type { WordTiming } from '../../ports/providers/text-to-speech.ts';
import type { TransferMode, TransferOutcome } from '../../ports/telephony.ts';
import type { ToolOutcome } from './tool-ledger.ts';

/** The timers that states own. A timer exists as long as the state that wants it, see `timersOf`. */
export type TimerName =
  | 'end-of-turn'
  | 'max-turn'
  | 'no-words'
  | 'greeting'
  | 'preempt'
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
  | 'closing-limit';

type Happening =
  | { type: 'answered' }
  /** The first frame of the far end. */
  | { type: 'media-started' }
  | { type: 'speech-started'; onsetAtMs: number }
  | { type: 'speech-paused'; lastSpeechAtMs: number }
  | { type: 'speech-resumed' }
  | { type: 'speech-ended'; lastSpeechAtMs: number }
  /** The caller pressed a key. */
  | { type: 'dtmf'; digit: string }
  /** A tone as answering machines give it has ended. */
  | { type: 'beep' }
  | { type: 'stt-partial'; text: string }
  | { type: 'stt-final'; text: string }
  | { type: 'stt-finalized' }
  /** What a recognizer that judges turns by itself says of this one. */
  | { type: 'turn-judged'; judgment: 'turn-started' | 'turn-ending' | 'turn-resumed' | 'turn-ended' }
  | { type: 'stt-failed'; message: string }
  /** A speech-to-speech model has understood what the caller said in a turn; it may come long after the reply. */
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
  | { type: 'media-lost'; silentMs: number }
  | { type: 'media-failed'; message: string }
  | { type: 'held' }
  | { type: 'resumed' }
  /** Somebody in charge lets the agent say this. */
  | { type: 'say'; text: string; interruptible: boolean; endAfter: boolean }
  /** … tells the model this. */
  | { type: 'context-injected'; text: string; wantsReply: boolean }
  /** … keeps the agent silent, or lets it speak again. */
  | { type: 'mute-changed'; isMuted: boolean }
  /** … hands the caller over, after the message where there is one. */
  | { type: 'transfer-asked'; destination: string; mode: TransferMode; message: string | null }
  /** The telephony says what came of a transfer. */
  | { type: 'transfer-settled'; id: number; outcome: TransferOutcome }
  | { type: 'prompt-changed'; systemPrompt: readonly { role: string; content: string }[] }
  | { type: 'end'; reason: EndReason; message: string | null }
  | { type: 'leg-ended'; reason: EndReason; error: string | null }
  | { type: 'timer'; name: TimerName };

/** What a model tells of one request. */
export type ModelEvent = Extract<ConversationEvent, { type: 'llm-text' | 'llm-tool-call' | 'llm-done' | 'llm-failed' }>;

/**
 * What happened, and when on the call's monotonic clock. Events of work that can be cancelled carry the generation or
 * utterance they belong to: the reducer drops those of an older one.
 */
export type ConversationEvent = Happening & { readonly atMs: number };
