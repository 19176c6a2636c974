import type { ToolCallRequest } from '@va/core';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';

type ToolCallDelta = ChatCompletionChunk.Choice.Delta.ToolCall;

/**
 * Puts the pieces of the calls of one reply together; several calls may come interleaved, told apart by their index.
 */
export class ToolCallAssembly {
  readonly #calls = new Map<number, { id: string; name: string; arguments: string }>();

  add({ index, id, function: part }: ToolCallDelta): void {
    const call = this.#calls.get(index) ?? { id: '', name: '', arguments: '' };
    call.id ||= id ?? '';
    call.name ||= part?.name ?? '';
    call.arguments += part?.arguments ?? '';
    this.#calls.set(index, call);
  }

  /** Every call once, in the order of the indexes; the assembly is empty afterwards. */
  take(): ToolCallRequest[] {
    const calls = [...this.#calls.entries()].sort(([a], [b]) => a - b).map(([, call]) => call);
    this.#calls.clear();
    return calls;
  }
}
