import type { ConversationNotice } from '@va/core';
import type { Clock } from '@va/core/adapter';
import type { SimulatedToolCall, SpokenLine } from './conversation.ts';

type AgentLine = Extract<ConversationNotice, { type: 'agent-spoke' }>;

/** Records the events of a conversation. */
export class Protocol {
  readonly events: { readonly atMs: number; readonly notice: ConversationNotice }[] = [];
  readonly #clock: Clock;
  readonly #lines: SpokenLine[] = [];
  readonly #tools: SimulatedToolCall[] = [];
  /** Start times of the segments whose end has not been reported. */
  readonly #begun: number[] = [];
  #pending = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Spoken lines in order of their start. */
  get lines(): readonly SpokenLine[] {
    return [...this.#lines].sort((a, b) => a.atMs - b.atMs);
  }

  get tools(): readonly SimulatedToolCall[] {
    return this.#tools;
  }

  /** True if a tool is running. */
  get isToolRunning(): boolean {
    return this.#pending > 0;
  }

  /** Number of times that the agent has begun to speak. */
  get utterances(): number {
    return this.events.filter(({ notice }) => notice.type === 'agent-speaking').length;
  }

  get turns(): number {
    return this.events.filter(({ notice }) => notice.type === 'user-turn').length;
  }

  note(notice: ConversationNotice): void {
    const atMs = this.#clock.nowMs();
    this.events.push({ atMs, notice });
    if (notice.type === 'user-turn') this.#lines.push({ speaker: 'caller', text: notice.text, atMs });
    if (notice.type === 'agent-speaking') this.#begun.push(atMs);
    if (notice.type === 'agent-spoke') this.#spoke(notice, atMs);
    if (notice.type === 'tool-call') {
      const { id, name, arguments: written } = notice.call;
      this.#pending += 1;
      this.#tools.push({ id, name, args: parsed(written), atMs, durationMs: null, outcome: null });
    }
    if (notice.type === 'tool-result') this.#settle(notice, atMs);
  }

  #spoke({ heard }: AgentLine, atMs: number): void {
    const begunAtMs = this.#begun.shift() ?? atMs;
    if (heard !== '') this.#lines.push({ speaker: 'agent', text: heard, atMs: begunAtMs });
  }

  #settle({ callId, outcome }: Extract<ConversationNotice, { type: 'tool-result' }>, atMs: number): void {
    this.#pending -= 1;
    const index = this.#tools.findIndex(({ id }) => id === callId);
    const call = this.#tools[index];
    if (call === undefined) return;
    const came = outcome.ok ? { result: outcome.result } : { error: outcome.error };
    this.#tools[index] = { ...call, durationMs: atMs - call.atMs, outcome: came };
  }
}

function parsed(json: string): unknown {
  try {
    return json.trim() === '' ? {} : JSON.parse(json);
  } catch {
    return json;
  }
}
