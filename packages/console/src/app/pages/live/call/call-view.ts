import type { CallEvent, CallStatus, EndReason, LiveEvent } from '@va/client';
import { type FloorView, nextFloor, type SideLevels } from '../parts/floor.ts';
import { type LiveCallItem, type SentCommand, withCommand, withEvent } from './items.ts';

/** Interim text, which may change or be dropped. */
interface PassingWords {
  readonly text: string;
  readonly at: string;
}

/** The state of a live call, reduced from its streams. */
export interface CallView {
  /** Transcript entries, tool calls and notes in order. */
  readonly items: readonly LiveCallItem[];
  /** Interim text of the caller; null while the caller is silent. */
  readonly partial: PassingWords | null;
  /** Speech that the agent has begun and that is not in the transcript yet. */
  readonly speech: readonly PassingWords[];
  /** True if the interim text has ended: the next `settle` removes it. */
  readonly isPartialOver: boolean;
  readonly isSpeechOver: boolean;
  readonly floor: FloorView | null;
  readonly levels: SideLevels | null;
  readonly latency: LastLatency | null;
  readonly status: CallStatus | null;
  readonly endReason: EndReason | null;
  readonly error: string | null;
  readonly answeredAt: string | null;
  readonly lastSeq: number;
  /** Timestamps of the last transcript entry of each side. */
  readonly saidAt: Readonly<Record<'user' | 'assistant', string>>;
}

export type LastLatency = Extract<CallEvent, { type: 'latency' }>['data'];

export type ViewChange =
  | { readonly type: 'moment'; readonly event: LiveEvent; readonly nowMs: number }
  | { readonly type: 'event'; readonly event: CallEvent }
  | { readonly type: 'command'; readonly command: SentCommand }
  /** The stream of live events reconnected. */
  | { readonly type: 'reconnected' }
  /** Removes ended interim text that the transcript has not confirmed. */
  | { readonly type: 'settle' };

export const emptyView: CallView = {
  ...{ items: [], partial: null, speech: [], isPartialOver: false, isSpeechOver: false, floor: null, latency: null },
  levels: null,
  ...{ status: null, endReason: null, error: null, answeredAt: null, lastSeq: 0 },
  saidAt: { user: '', assistant: '' },
};

export function changeView(view: CallView, change: ViewChange): CallView {
  switch (change.type) {
    case 'moment':
      return isOver(view) ? view : afterMoment(view, change.event, change.nowMs);
    case 'event':
      return afterEvent(view, change.event);
    case 'command':
      return { ...view, items: withCommand(view.items, change.command) };
    case 'reconnected':
      return { ...view, isPartialOver: true, isSpeechOver: true };
    case 'settle':
      return {
        ...view,
        partial: view.isPartialOver ? null : view.partial,
        speech: view.isSpeechOver ? [] : view.speech,
      };
  }
}

export function isOver({ status }: Pick<CallView, 'status'>): boolean {
  return status === 'ended' || status === 'failed';
}

/**
 * Applies a live event. Ignores interim text that the transcript has already, because the two streams are not ordered
 * with each other.
 */
function afterMoment(view: CallView, event: LiveEvent, nowMs: number): CallView {
  switch (event.type) {
    case 'state': {
      const isQuiet = event.state === 'listening' && event.waits_for !== 'interruption';
      return { ...view, floor: nextFloor(view.floor, event, nowMs), isSpeechOver: isQuiet };
    }
    case 'partial-transcript':
      if (event.content === '') return { ...view, isPartialOver: true };
      if (event.at <= view.saidAt.user) return view;
      return { ...view, partial: { text: event.content, at: event.at }, isPartialOver: false };
    case 'agent-speech':
      if (event.at <= view.saidAt.assistant) return view;
      return { ...view, speech: [...view.speech, { text: event.content, at: event.at }], isSpeechOver: false };
    case 'levels':
      return { ...view, levels: event };
    default:
      return view;
  }
}

function afterEvent(before: CallView, event: CallEvent): CallView {
  const seq = Number(event.id);
  if (seq <= before.lastSeq) return before;
  const view = { ...before, lastSeq: seq, items: withEvent(before.items, event) };
  const { type, at, data } = event;
  switch (type) {
    case 'transcript':
      return afterWords({ ...view, saidAt: { ...view.saidAt, [data.role]: at } }, data.role, at);
    case 'latency':
      return { ...view, latency: data };
    case 'status': {
      const { status, end_reason: endReason, error } = data;
      const answeredAt = status === 'in-progress' ? (view.answeredAt ?? at) : view.answeredAt;
      const next = { ...view, status, endReason, error, answeredAt };
      return isOver(next) ? { ...next, floor: null, partial: null, speech: [] } : next;
    }
    default:
      return view;
  }
}

function afterWords(view: CallView, role: 'user' | 'assistant', at: string): CallView {
  if (role === 'assistant') return { ...view, speech: view.speech.filter((each) => each.at > at) };
  return { ...view, partial: view.partial !== null && view.partial.at > at ? view.partial : null };
}
