import type { TranscriptMessage } from '../../domain/calls/call.ts';
import type { ChatMessage, ToolCallRequest } from '../../ports/providers/language-model.ts';
import { outcomeText, type ToolLedger } from './tool-ledger.ts';

export interface UserEntry {
  readonly role: 'user';
  /** Empty until the words are known. */
  readonly text: string;
  /** The parts of the turn that its words are still expected for, by number. */
  readonly awaits?: readonly number[];
}

export interface AgentEntry {
  readonly role: 'assistant';
  /** What the agent meant to say. */
  readonly full: string;
  /** What the caller heard of it: nothing before it plays, and all of it only once it has played to its end. */
  readonly heard: string;
  readonly interrupted: boolean;
  readonly toolCalls: readonly ToolCallRequest[];
}

/** What the model is told beside the conversation. */
export interface ContextEntry {
  readonly role: 'system';
  readonly text: string;
}

export type Entry = UserEntry | AgentEntry | ContextEntry;

/** The conversation as it is stored: what was said and heard, in order. */
export function transcriptMessages(entries: readonly Entry[]): TranscriptMessage[] {
  return entries.flatMap((entry): TranscriptMessage[] => {
    if (entry.role === 'system') return [];
    const content = entry.role === 'user' ? entry.text : entry.heard;
    return content === '' ? [] : [{ role: entry.role, content }];
  });
}

/**
 * An entry as the model gets it: the agent's words as far as they were heard, or whole where they are being said, and
 * right after a message with tool calls one output per call. Call it when none of its calls is pending.
 */
export function entryMessages(entry: Entry, ledger: ToolLedger, isBeingSaid: boolean): ChatMessage[] {
  if (entry.role !== 'assistant') return entry.text === '' ? [] : [{ role: entry.role, content: entry.text }];
  const content = isBeingSaid ? entry.full.trim() : entry.heard;
  if (entry.toolCalls.length === 0) return content === '' ? [] : [{ role: 'assistant', content }];
  const outputs = entry.toolCalls.map(({ id }): ChatMessage => {
    const outcome = ledger.get(id)?.outcome ?? { ok: false, error: 'no result' };
    return { role: 'tool', toolCallId: id, content: outcomeText(outcome) };
  });
  return [{ role: 'assistant', content, toolCalls: entry.toolCalls }, ...outputs];
}
