import type { Call, CallEvent, CallStatus, EndReason, LiveEvent } from '@va/client';
import { type FloorView, nextFloor, type SideLevels } from '../parts/floor.ts';

export interface ShownWords {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** True for interim text. */
  readonly isPartial: boolean;
}

/** The latest stream data of a call. */
interface CallMoment {
  readonly floor: FloorView | null;
  readonly levels: SideLevels | null;
  readonly words: ShownWords | null;
  /** The last final transcript entry. */
  readonly saidWords: ShownWords | null;
  readonly status: CallStatus | null;
  readonly endReason: EndReason | null;
  readonly answeredAt: string | null;
}

export interface LiveCallList {
  readonly calls: ReadonlyMap<string, Call>;
  readonly moments: ReadonlyMap<string, CallMoment>;
}

/** A row of the list. */
export interface LiveRow extends Pick<CallMoment, 'floor' | 'levels' | 'words' | 'endReason'> {
  readonly call: Call;
  readonly status: CallStatus;
  readonly startedAt: string;
  readonly answeredAt: string | null;
}

export type LiveChange =
  | { readonly type: 'listed'; readonly calls: readonly Call[] }
  | { readonly type: 'moment'; readonly event: LiveEvent; readonly nowMs: number }
  | { readonly type: 'event'; readonly event: CallEvent }
  /** The stream of live events connected. It sends the present state again but no finished speech. */
  | { readonly type: 'reconnected' }
  | { readonly type: 'gone'; readonly id: string };

export const noCalls: LiveCallList = { calls: new Map(), moments: new Map() };

const noMoment: CallMoment = {
  ...{ floor: null, levels: null, words: null, saidWords: null, status: null, endReason: null, answeredAt: null },
};

export function changeCalls(live: LiveCallList, change: LiveChange): LiveCallList {
  switch (change.type) {
    case 'listed':
      return withListed(live, change.calls);
    case 'moment':
      return withMoment(live, change.event.call_id, (moment) => afterLive(moment, change.event, change.nowMs));
    case 'event':
      return withMoment(live, change.event.call_id, (moment) => afterEvent(moment, change.event));
    case 'reconnected':
      return { ...live, moments: new Map([...live.moments].map(([id, each]) => [id, withoutPartial(each)])) };
    case 'gone':
      return { calls: without(live.calls, change.id), moments: without(live.moments, change.id) };
  }
}

/** Returns the calls by start time, so that new ones are appended and rows keep their place. */
export function rowsOf({ calls, moments }: LiveCallList): readonly LiveRow[] {
  return [...calls.values()]
    .map((call) => {
      const { floor, levels, words, status, endReason, answeredAt } = moments.get(call.id) ?? noMoment;
      return {
        ...{ call, floor, levels, words, endReason },
        status: status ?? call.status,
        startedAt: call.started_at ?? call.created_at,
        answeredAt: answeredAt ?? call.answered_at,
      };
    })
    .sort((a, b) => compare(a.call.created_at, b.call.created_at) || compare(a.call.id, b.call.id));
}

/** Returns true if an event belongs to a live call that the list lacks. */
export function isUnknown({ calls }: LiveCallList, event: LiveEvent | CallEvent): boolean {
  return !calls.has(event.call_id) && !isEnd(event);
}

export function isEnd(event: LiveEvent | CallEvent): boolean {
  return event.type === 'status' && isOver(event.data.status);
}

export function isOver(status: CallStatus): boolean {
  return status === 'ended' || status === 'failed';
}

/** Removes calls that the loaded list lacks, except those that ended a moment ago: a `gone` change removes them. */
function withListed({ calls: before, moments }: LiveCallList, listed: readonly Call[]): LiveCallList {
  const calls = new Map(listed.map((call) => [call.id, call]));
  for (const [id, call] of before) if (isOver(moments.get(id)?.status ?? call.status)) calls.set(id, call);
  return { calls, moments: new Map([...moments].filter(([id]) => calls.has(id) || !before.has(id))) };
}

function withMoment(live: LiveCallList, id: string, change: (moment: CallMoment) => CallMoment): LiveCallList {
  const moment = change(live.moments.get(id) ?? noMoment);
  return { ...live, moments: new Map(live.moments).set(id, moment) };
}

function afterLive(moment: CallMoment, event: LiveEvent, nowMs: number): CallMoment {
  switch (event.type) {
    case 'state':
      return { ...moment, floor: nextFloor(moment.floor, event, nowMs) };
    case 'partial-transcript':
      if (event.content === '') return withoutPartial(moment);
      return { ...moment, words: { role: 'user', text: event.content, isPartial: true } };
    case 'agent-speech':
      return { ...moment, words: { role: 'assistant', text: event.content, isPartial: true } };
    case 'levels':
      return { ...moment, levels: event };
    default:
      return moment;
  }
}

function afterEvent(moment: CallMoment, { type, at, data }: CallEvent): CallMoment {
  if (type === 'transcript') {
    const words: ShownWords = { role: data.role, text: data.content, isPartial: false };
    return { ...moment, words, saidWords: words };
  }
  if (type !== 'status') return moment;
  return {
    ...moment,
    status: data.status,
    endReason: data.end_reason,
    answeredAt: data.status === 'in-progress' ? (moment.answeredAt ?? at) : moment.answeredAt,
    ...(isOver(data.status) && { floor: null, words: moment.saidWords }),
  };
}

function withoutPartial(moment: CallMoment): CallMoment {
  return moment.words?.isPartial === true ? { ...moment, words: moment.saidWords } : moment;
}

function without<T>(map: ReadonlyMap<string, T>, id: string): ReadonlyMap<string, T> {
  const copy = new Map(map);
  copy.delete(id);
  return copy;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
