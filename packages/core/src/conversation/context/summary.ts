import { charactersOf } from '../../costs/estimate-tokens.ts';
import type { ChatMessage } from '../../ports/providers/language-model.ts';
import type { Summarizing } from '../state/context-window.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';
import type { ModelEvent } from '../state/events.ts';
import { outcomeText, type ToolLedger } from '../state/tools/tool-ledger.ts';
import type { TranscriptEntry } from '../state/transcript.ts';
import { cutToFit, isCut, windowTokens } from './window.ts';

/**
 * Summaries of long conversations: the model summarizes the oldest turns while it is idle. Replies do not wait for a
 * summary: until it is complete, or if it fails, the turns are sent unchanged while there is room.
 */

/**
 * Share of `max_tokens` above which older turns are summarized. The rest is room for the turns until the summary is
 * complete.
 */
const fullShare = 0.75;
/** Maximum length of the summary, as a share of `max_tokens`. */
const summaryShare = 0.2;
const timeoutMs = 20_000;
const longestResult = 2_000;

const instructions = [
  'You keep the notes of a phone call between an agent and a caller, for the agent who carries it on.',
  'Write down who the caller is and what they want; names, numbers, dates, amounts and addresses as they were given;',
  'what was decided and promised; what tools found out; and what is still open.',
  'Keep what the notes so far say, as far as it still holds. Be brief, add nothing, and write in the language of ' +
    'the call.',
  'Answer with the notes alone.',
].join(' ');

/** Returns when a summary in progress times out; null without one. */
export function summaryLimitAtMs({ context: window }: ConversationState): number | null {
  return window.summarizing === null ? null : window.summarizing.sinceMs + timeoutMs;
}

/** Starts a summary when the model is idle and the window is nearly full or leaves out turns. */
export function summarizeWhenIdle(
  before: ConversationState,
  state: ConversationState,
  atMs: number,
  emit: Emit,
): ConversationState {
  const isNews = isThinking(before) || state.entries.length > before.entries.length;
  if (!isNews || isThinking(state) || !mayBegin(state)) return state;
  const { max_tokens: maxTokens } = state.config.context;
  const isFull = windowTokens(state) > maxTokens * fullShare;
  if (!isFull && !isCut(state.context)) return state;
  const to = Math.min(isFull ? summaryEnd(state) : state.context.from, firstOpenEntry(state));
  if (to <= state.context.summarizedTo) return state;
  const generation = state.lastId + 1;
  emit({ type: 'start-llm', generation, messages: notesRequest(state, to), withTools: false });
  const summarizing: Summarizing = { generation, sinceMs: atMs, to, text: '' };
  return { ...state, lastId: generation, context: { ...state.context, summarizing } };
}

function isThinking({ agentTurn }: ConversationState): boolean {
  return agentTurn.kind === 'active' && agentTurn.llm !== null;
}

function mayBegin({
  config,
  phase,
  context: window,
  entries,
  reply: { due: replyDue, preemption },
}: ConversationState): boolean {
  const isNext = replyDue === null && preemption === null;
  // A failed summary is retried after more has been said.
  const isNews = window.failedAt === null || entries.length > window.failedAt;
  return (
    config.context.summarize &&
    !config.isRealtime &&
    phase.kind === 'open' &&
    window.summarizing === null &&
    isNext &&
    isNews
  );
}

/** Returns the end of the part to summarize: before the last turns to keep, or later if they are too large. */
function summaryEnd(state: ConversationState): number {
  const { max_tokens: maxTokens, keep_last_turns: keepTurns } = state.config.context;
  const turns = state.entries.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
  const kept = turns.at(-keepTurns) ?? 0;
  return cutToFit(state, Math.max(kept, state.context.from), maxTokens * fullShare);
}

/**
 * Returns the index of the first entry whose heard text or tool outcome may still change; the number of entries if
 * there is none.
 */
function firstOpenEntry({ agentTurn, playout: { cutOff }, entries, tools: ledger }: ConversationState): number {
  const spoken = [...cutOff, ...(agentTurn.kind === 'active' ? agentTurn.speeches : [])].filter(
    ({ finished }) => !finished,
  );
  const pending = entries.findIndex(
    (entry) =>
      entry.role === 'assistant' && entry.toolCalls.some(({ id }) => (ledger.get(id)?.outcome ?? null) === null),
  );
  return Math.min(entries.length, pending < 0 ? entries.length : pending, ...spoken.map(({ entry }) => entry));
}

/**
 * Returns the request for a summary of the entries before `to`. A text too long for the model is cut at its beginning.
 */
export function notesRequest(
  { entries, tools: ledger, context: window, config }: ConversationState,
  to: number,
): ChatMessage[] {
  const longest = charactersOf(config.context.max_tokens * 2);
  const said = entries.slice(window.summarizedTo, to).flatMap((entry) => linesOf(entry, ledger));
  const notes = window.summary === null ? [] : ['Notes so far:', window.summary, ''];
  return [
    { role: 'system', content: instructions },
    { role: 'user', content: [...notes, 'The call:', said.join('\n').slice(-longest)].join('\n') },
  ];
}

function linesOf(entry: TranscriptEntry, ledger: ToolLedger): string[] {
  if (entry.role === 'system') return [];
  if (entry.role === 'user') return entry.text === '' ? [] : [`Caller: ${entry.text}`];
  const calls = entry.toolCalls.map(({ id, name, arguments: args }) => {
    const outcome = ledger.get(id)?.outcome ?? null;
    return `Tool ${name} ${args}: ${outcome === null ? '' : outcomeText(outcome).slice(0, longestResult)}`;
  });
  return [...(entry.heard === '' ? [] : [`Agent: ${entry.heard}`]), ...calls];
}

/** Handles the model's events for a summary. */
export function summaryTold(state: ConversationState, event: ModelEvent): ConversationState {
  const { summarizing } = state.context;
  if (summarizing === null) return state;
  switch (event.type) {
    case 'llm-text':
      return withSummarizing(state, { ...summarizing, text: summarizing.text + event.text });
    case 'llm-tool-call':
      return state;
    case 'llm-done':
      return summarizing.text.trim() === '' ? failed(state) : summarized(state, summarizing);
    case 'llm-failed':
      return failed(state);
  }
}

/** Stores a complete summary in place of the entries that it covers, some of which may have left the window already. */
function summarized(state: ConversationState, { text, to }: Summarizing): ConversationState {
  const { context: window, config } = state;
  const summary = text.trim().slice(0, charactersOf(config.context.max_tokens * summaryShare));
  const from = Math.max(window.from, to);
  return { ...state, context: { from, summary, summarizedTo: to, summarizing: null, failedAt: null } };
}

function failed(state: ConversationState): ConversationState {
  return { ...state, context: { ...state.context, summarizing: null, failedAt: state.entries.length } };
}

function withSummarizing(state: ConversationState, summarizing: Summarizing): ConversationState {
  return { ...state, context: { ...state.context, summarizing } };
}

export function giveUpSummary(state: ConversationState, emit: Emit): ConversationState {
  const { summarizing } = state.context;
  if (summarizing === null) return state;
  emit({ type: 'cancel-llm', generation: summarizing.generation });
  return failed(state);
}
