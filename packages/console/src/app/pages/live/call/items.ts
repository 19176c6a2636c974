import type { ApiError, CallEvent } from '@va/client';
import { noteOf } from './notes.ts';

/** An entry of a live call. */
export type LiveCallItem = WordsItem | ToolItem | NoteItem | CommandItem;

export interface WordsItem {
  readonly kind: 'words';
  readonly key: string;
  readonly at: string;
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly isInterrupted: boolean;
  /** The rest of an interrupted reply, which the caller did not hear. */
  readonly unheard: string;
}

type ToolItemOutcome = { readonly ok: true; readonly result: unknown } | { readonly ok: false; readonly error: string };

export interface ToolItem {
  readonly kind: 'tool';
  readonly key: string;
  readonly at: string;
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
  /** Null while the tool runs. */
  readonly outcome: ToolItemOutcome | null;
}

interface NoteItem {
  readonly kind: 'note';
  readonly key: string;
  readonly at: string;
  readonly text: string;
}

/** A command of the user with its outcome. */
export interface SentCommand {
  readonly id: string;
  readonly at: string;
  readonly text: string;
  readonly state: 'sending' | 'done' | 'failed';
  readonly error: ApiError | Error | null;
}

interface CommandItem extends SentCommand {
  readonly kind: 'command';
  readonly key: string;
}

export function withEvent(items: readonly LiveCallItem[], event: CallEvent): readonly LiveCallItem[] {
  const { id, at, type, data } = event;
  const key = `event-${id}`;
  switch (type) {
    case 'transcript': {
      const isInterrupted = data.role === 'assistant' && data.interrupted;
      const unheard = (data.role === 'assistant' && data.unheard) || '';
      return [...items, { kind: 'words', key, at, role: data.role, text: data.content, isInterrupted, unheard }];
    }
    case 'tool-call':
      return [
        ...items,
        { kind: 'tool', key, at, id: data.id, name: data.name, arguments: data.arguments, outcome: null },
      ];
    case 'tool-result': {
      const outcome: ToolItemOutcome = data.ok ? { ok: true, result: data.result } : { ok: false, error: data.error };
      return withOutcome(items, data.id, outcome);
    }
    default: {
      const text = noteOf(event);
      return text === null ? items : [...items, { kind: 'note', key, at, text }];
    }
  }
}

/** Adds the result to the last running tool with its id, because models may repeat ids. */
function withOutcome(items: readonly LiveCallItem[], id: string, outcome: ToolItemOutcome): readonly LiveCallItem[] {
  const runs = (item: LiveCallItem): item is ToolItem =>
    item.kind === 'tool' && item.id === id && item.outcome === null;
  const at = items.findLastIndex(runs);
  const item = items[at];
  return item?.kind === 'tool' ? items.with(at, { ...item, outcome }) : items;
}

/** Adds a command, or updates it with its outcome. */
export function withCommand(items: readonly LiveCallItem[], command: SentCommand): readonly LiveCallItem[] {
  const item: CommandItem = { ...command, kind: 'command', key: `command-${command.id}` };
  const at = items.findIndex(({ key }) => key === item.key);
  return at < 0 ? [...items, item] : items.with(at, item);
}
