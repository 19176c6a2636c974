import type { Call, CallEvent, CallEventData } from '@va/client';
import type { LatencyStages } from './turn-latency.ts';

type ToolResultData = CallEventData['tool-result'];

/** An entry of the timeline. Times are milliseconds since the answer of the call. */
export type TimelineItem =
  | {
      readonly type: 'line';
      readonly role: 'user' | 'assistant';
      readonly text: string;
      readonly isInterrupted: boolean;
      /** The rest of an interrupted reply, which the caller did not hear. */
      readonly unheard: string;
      /** Start of the line: the end of the previous one; null without events. */
      readonly fromMs: number | null;
      readonly toMs: number | null;
    }
  | { readonly type: 'tool'; readonly name: string; readonly request: unknown; readonly result: ToolResultData | null }
  | { readonly type: 'latency'; readonly latency: LatencyStages }
  | { readonly type: 'note'; readonly kind: NoteKind; readonly text: string };

export type NoteKind = 'dtmf' | 'language' | 'answered-by' | 'transfer' | 'take-over' | 'budget';

/** Builds the timeline from the events of a call, or from its messages alone if retention has erased the events. */
export function toTimeline(call: Call, events: readonly CallEvent[]): TimelineItem[] {
  const items = fromEvents(call, events);
  if (items.some(({ type }) => type === 'line')) return items;
  return call.messages.map(({ role, content }) => ({
    ...{ type: 'line', role, text: content, isInterrupted: false, unheard: '', fromMs: null, toMs: null },
  }));
}

function fromEvents(call: Call, events: readonly CallEvent[]): TimelineItem[] {
  const originMs = Date.parse(call.answered_at ?? call.started_at ?? call.created_at);
  const items: TimelineItem[] = [];
  /** Index of the last running tool by its id, which a model may use again. */
  const running = new Map<string, number>();
  let lineEndMs = 0;
  for (const event of events) {
    if (event.type === 'transcript') {
      const { role, content } = event.data;
      const toMs = Math.max(lineEndMs, Date.parse(event.at) - originMs);
      const isInterrupted = event.data.role === 'assistant' && event.data.interrupted;
      const unheard = (event.data.role === 'assistant' && event.data.unheard) || '';
      items.push({ type: 'line', role, text: content, isInterrupted, unheard, fromMs: lineEndMs, toMs });
      lineEndMs = toMs;
    } else if (event.type === 'tool-call') {
      const { id, name, arguments: request } = event.data;
      running.set(id, items.push({ type: 'tool', name, request, result: null }) - 1);
    } else if (event.type === 'tool-result') {
      const at = running.get(event.data.id);
      const item = at === undefined ? undefined : items[at];
      if (at !== undefined && item?.type === 'tool') items[at] = { ...item, result: event.data };
      running.delete(event.data.id);
    } else if (event.type === 'latency') items.push({ type: 'latency', latency: event.data });
    else items.push(...noteOf(event));
  }
  return items;
}

function noteOf(event: CallEvent): TimelineItem[] {
  const note = (kind: NoteKind, text: string): TimelineItem[] => [{ type: 'note', kind, text }];
  switch (event.type) {
    case 'dtmf':
      return note('dtmf', event.data.digit);
    case 'language':
      return note('language', event.data.language);
    case 'answered-by':
      return note('answered-by', event.data.kind);
    case 'transfer': {
      const { destination, mode, status, reason } = event.data;
      return note('transfer', [destination, mode, status, reason].filter(Boolean).join(' · '));
    }
    case 'take-over':
      return note('take-over', event.data.status);
    case 'budget':
      return note('budget', `${event.data.scope} · ${event.data.level} · ${event.data.cost} / ${event.data.limit}`);
    default:
      return [];
  }
}

/** Returns the index of the line that is spoken at a time; null before the first. */
export function lineAt(items: readonly TimelineItem[], atMs: number): number | null {
  let found: number | null = null;
  for (const [index, item] of items.entries()) {
    if (item.type === 'line' && item.fromMs !== null && item.fromMs <= atMs) found = index;
  }
  return found;
}
