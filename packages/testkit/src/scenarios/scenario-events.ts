import type { ConversationNotice } from '@va/core';
import type { Clock } from '@va/core/adapter';
import type { TimelineEntry } from './scenario.ts';

/** Records the events of the conversation with their times. */
export class ScenarioEvents {
  readonly entries: TimelineEntry[] = [];
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records that the signal of a host tool was aborted, because its result is no longer needed. */
  aborted(tool: string): void {
    this.entries.push({ aborted: tool, atMs: this.#clock.nowMs() });
  }

  note(notice: ConversationNotice): void {
    const entry = toEntry(notice, this.#clock.nowMs());
    if (entry !== null) this.entries.push(entry);
  }
}

/**
 * Returns the timeline entry of a notice; null for notices that are not shown, as the caller's actions and the agent's
 * sound already show them.
 */
function toEntry(notice: ConversationNotice, atMs: number): TimelineEntry | null {
  switch (notice.type) {
    case 'user-turn':
      return { turn: notice.text, atMs };
    case 'interrupted':
      return { interrupted: true, atMs };
    case 'resumed':
      return { resumed: true, atMs };
    case 'answered-by':
      return { answeredBy: notice.kind, atMs };
    case 'language-changed':
      return { language: notice.language, atMs };
    case 'tool-call':
      return { tool: notice.call.name, args: parsed(notice.call.arguments), atMs };
    case 'tool-result':
      return notice.outcome.ok
        ? { result: notice.outcome.result, of: notice.name, atMs }
        : { error: notice.outcome.error, of: notice.name, atMs };
    case 'transfer':
      return { transfer: notice.destination, status: notice.status, atMs };
    case 'take-over':
      return { takeOver: notice.status, atMs };
    case 'budget':
      return { budget: notice.level, ...(notice.scope === 'organization' ? { of: notice.scope } : {}), atMs };
    default:
      return null;
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
