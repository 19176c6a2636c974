import { timestamp } from '../../clock/timestamp.ts';
import type { ConversationNotice } from '../../conversation/state/effects.ts';
import { parseArguments } from '../../conversation/tools/arguments.ts';
import type { Call } from '../../domain/calls/call.ts';
import type { CallEvent, CallEventContent } from '../../domain/calls/call-event.ts';
import { toError } from '../../errors.ts';
import { type RandomBytes, uuidv7Sequence } from '../../ids.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { ToolCallRequest } from '../../ports/providers/language-model.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import { unheardText } from './unheard-text.ts';

interface CallEventLogDependencies {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly logger: Logger;
}

/**
 * Stores the events of one call in order, for its event streams. Writing never delays the call: events that arrive
 * while a batch is written form the next batch.
 */
export class CallEventLog {
  readonly #deps: CallEventLogDependencies;
  readonly #orgId: string;
  readonly #callId: string;
  readonly #onStored: (events: readonly CallEvent[]) => void;
  readonly #nextId: () => string;
  #waiting: CallEvent[] = [];
  #lastSeq = 0;
  #writing: Promise<void> | null = null;

  constructor(
    deps: CallEventLogDependencies,
    orgId: string,
    callId: string,
    onStored: (events: readonly CallEvent[]) => void,
  ) {
    this.#deps = deps;
    this.#orgId = orgId;
    this.#callId = callId;
    this.#onStored = onStored;
    this.#nextId = uuidv7Sequence(deps.clock, deps.random);
  }

  add(content: CallEventContent): void {
    this.#lastSeq += 1;
    this.#waiting.push({
      id: this.#nextId(),
      call_id: this.#callId,
      seq: this.#lastSeq,
      ...content,
      created_at: timestamp(this.#deps.clock),
    });
    this.#writing ??= this.#write();
  }

  addStatus({ status, end_reason, error }: Call): void {
    this.add({ type: 'status', data: { status, end_reason, error } });
  }

  addNotice(notice: ConversationNotice): void {
    switch (notice.type) {
      case 'user-turn':
        this.add({ type: 'transcript', data: { role: 'user', content: notice.text } });
        return;
      case 'agent-spoke':
        this.#addReply(notice);
        return;
      case 'tool-call':
        this.#addToolCall(notice.call);
        return;
      case 'tool-result':
        this.add({ type: 'tool-result', data: { id: notice.callId, name: notice.name, ...notice.outcome } });
        return;
      case 'answered-by':
        this.add({ type: 'answered-by', data: { kind: notice.kind } });
        return;
      case 'take-over':
        this.add({ type: 'take-over', data: { status: notice.status } });
        return;
      case 'language-changed':
        this.add({ type: 'language', data: { language: notice.language } });
        return;
      case 'transfer': {
        const { destination, mode, status, reason } = notice;
        this.add({ type: 'transfer', data: { destination, mode, status, reason } });
        return;
      }
      case 'budget': {
        const { type: _, ...data } = notice;
        this.add({ type: 'budget', data });
        return;
      }
      case 'latency':
        this.add({ type: 'latency', data: notice.turn });
    }
  }

  #addReply({ full, heard, interrupted }: Extract<ConversationNotice, { type: 'agent-spoke' }>): void {
    const unheard = interrupted ? unheardText(full, heard) : '';
    const data = { role: 'assistant' as const, content: heard, interrupted, ...(unheard !== '' && { unheard }) };
    this.add({ type: 'transcript', data });
  }

  /** Stores the arguments as an object, as in the webhook; as text if the model's output is no JSON object. */
  #addToolCall({ id, name, arguments: text }: ToolCallRequest): void {
    this.add({ type: 'tool-call', data: { id, name, arguments: parseArguments(text) ?? text } });
  }

  /** Resolves when all added events are stored or given up. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await this.#deps.storage.callEvents.insertMany(this.#orgId, batch);
        this.#onStored(batch);
      } catch (thrown) {
        this.#deps.logger.error({ err: toError(thrown), callId: this.#callId }, 'failed to store events of a call');
      }
    }
    this.#writing = null;
  }
}
