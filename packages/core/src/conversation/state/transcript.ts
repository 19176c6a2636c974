import type { TranscriptMessage } from '../../domain/calls/call.ts';
import type { ChatMessage, ToolCallRequest } from '../../ports/providers/language-model.ts';
import { outcomeText, type ToolLedger } from './tools/tool-ledger.ts';

interface UserEntry {
  readonly role: 'user';
  /** Empty until the words are known. */
  readonly text: string;
  /** Numbers of the parts of the turn whose words are still expected. */
  readonly awaits?: readonly number[];
}

export interface AgentEntry {
  readonly role: 'assistant';
  /** The intended text. */
  readonly full: string;
  /** The text that the caller heard: empty before it plays, complete only once it has played to its end. */
  readonly heard: string;
  readonly interrupted: boolean;
  readonly toolCalls: readonly ToolCallRequest[];
}

/** Context injected for the model. */
interface ContextEntry {
  readonly role: 'system';
  readonly text: string;
}

export type TranscriptEntry = UserEntry | AgentEntry | ContextEntry;

/** Returns the conversation as stored: the caller's words and the heard text of the agent, in order. */
export function transcriptMessages(entries: readonly TranscriptEntry[]): TranscriptMessage[] {
  return entries.flatMap((entry): TranscriptMessage[] => {
    if (entry.role === 'system') return [];
    const content = entry.role === 'user' ? entry.text : entry.heard;
    return content === '' ? [] : [{ role: entry.role, content }];
  });
}

/**
 * Returns an entry in the form sent to the model: the agent's text as far as it was heard, or whole while it is being
 * spoken, and after a message with tool calls one output per tool call. No tool call of the entry may be pending.
 */
export function entryMessages(entry: TranscriptEntry, ledger: ToolLedger, isBeingSaid: boolean): ChatMessage[] {
  if (entry.role !== 'assistant') return entry.text === '' ? [] : [{ role: entry.role, content: entry.text }];
  const content = isBeingSaid ? entry.full.trim() : entry.heard;
  if (entry.toolCalls.length === 0) return content === '' ? [] : [{ role: 'assistant', content }];
  const outputs = entry.toolCalls.map(({ id }): ChatMessage => {
    const outcome = ledger.get(id)?.outcome ?? { ok: false, error: 'no result' };
    return { role: 'tool', toolCallId: id, content: outcomeText(outcome) };
  });
  return [{ role: 'assistant', content, toolCalls: entry.toolCalls }, ...outputs];
}
