import { estimateMessageTokens, estimateTokens } from '../../costs/estimate-tokens.ts';
import type { ChatMessage } from '../../ports/providers/language-model.ts';
import type { Speech } from '../state/agent/agent-turn.ts';
import type { ContextWindow } from '../state/context-window.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import { entryMessages, type TranscriptEntry } from '../state/transcript.ts';

const cutNote = 'What was said before this is left out.';

/** Returns the conversation for a request to the model. Must not be called while a tool call is pending. */
export function requestMessages(state: ConversationState, speeches: readonly Speech[]): ChatMessage[] {
  const { config, entries, tools: ledger, context: window } = state;
  const system = (content: string): ChatMessage => ({ role: 'system', content });
  const speaking = beingSaid(speeches);
  return [
    ...config.systemPrompt.map(({ content }) => system(content)),
    ...(window.summary === null ? [] : [system(`The conversation before this, in short:\n${window.summary}`)]),
    ...(isCut(window) ? [system(cutNote)] : []),
    ...entries.flatMap((entry, index) =>
      index >= window.from || entry.role === 'system' ? entryMessages(entry, ledger, speaking.has(index)) : [],
    ),
  ];
}

/** Returns true if the window leaves out turns that the summary does not cover. */
export function isCut({ from, summarizedTo }: ContextWindow): boolean {
  return from > summarizedTo;
}

/**
 * Returns the indices of the entries that are being spoken. Their text counts as heard: the model continues from it,
 * and an interruption corrects it later.
 */
function beingSaid(speeches: readonly Speech[]): ReadonlySet<number> {
  return new Set(speeches.filter(({ finished }) => !finished).map(({ entry }) => entry));
}

/**
 * Leaves out the oldest turns, so that the rest fits into `max_tokens`. The turn to answer stays, whatever its length,
 * and so does the agent's current speech.
 */
export function fitWindow(state: ConversationState, speeches: readonly Speech[]): ConversationState {
  const from = cutToFit(state, state.context.from, state.config.context.max_tokens, beingSaid(speeches));
  return from === state.context.from ? state : { ...state, context: { ...state.context, from } };
}

/**
 * Returns the first index, at or after `from`, of a window that fits into the tokens. It is the start of a turn. The
 * turn to answer and the agent's current speech stay in the window, even if they do not fit.
 */
export function cutToFit(
  state: ConversationState,
  from: number,
  maxTokens: number,
  speaking: ReadonlySet<number> = new Set(),
): number {
  const { entries, context: window } = state;
  const taken = entries.map((entry, index) => (index < from ? 0 : entryTokens(state, entry, speaking.has(index))));
  let total = taken.reduce((sum, tokens) => sum + tokens, estimateTokens(window.summary ?? ''));
  if (total <= maxTokens) return from;
  const caller = entries.findLastIndex(({ role }) => role === 'user');
  const answered = caller < 0 ? entries.findLastIndex(beginsTurn) : caller;
  const last = Math.min(answered, turnOf(entries, Math.min(...speaking)));
  let fitting = from;
  for (let index = from; index < last && (total > maxTokens || !beginsTurn(entries[index])); index++) {
    total -= taken[index] ?? 0;
    fitting = index + 1;
  }
  return fitting;
}

/** Returns the start of the turn that an entry belongs to. */
function turnOf(entries: readonly TranscriptEntry[], at: number): number {
  return Number.isFinite(at) ? Math.max(0, entries.slice(0, at + 1).findLastIndex(beginsTurn)) : at;
}

/**
 * Returns true for an entry of the caller and for an injected message: they start a turn, to which the agent's entries
 * after them belong.
 */
function beginsTurn(entry: TranscriptEntry | undefined): boolean {
  return entry !== undefined && entry.role !== 'assistant';
}

/** Returns the estimated tokens of an entry; 0 for injected context, which is never left out. */
function entryTokens({ tools: ledger }: ConversationState, entry: TranscriptEntry, isBeingSaid: boolean): number {
  if (entry.role === 'system') return 0;
  return entryMessages(entry, ledger, isBeingSaid).reduce((sum, message) => sum + estimateMessageTokens(message), 0);
}

/** Returns the estimated tokens of the window and the summary. */
export function windowTokens(state: ConversationState): number {
  const entries = state.entries.slice(state.context.from);
  const said = entries.reduce((sum, entry) => sum + entryTokens(state, entry, false), 0);
  return said + estimateTokens(state.context.summary ?? '');
}
