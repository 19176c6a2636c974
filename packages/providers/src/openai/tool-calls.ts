import type { ToolCallRequest } from '@va/core/adapter';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';

type ToolCallDelta = ChatCompletionChunk.Choice.Delta.ToolCall;

/** Assembles the chunks of a reply's tool calls; several calls may be interleaved, distinguished by their index. */
export class ToolCallAssembly {
  readonly #calls = new Map<number, { id: string; name: string; arguments: string }>();

  add({ index, id, function: part }: ToolCallDelta): void {
    const call = this.#calls.get(index) ?? { id: '', name: '', arguments: '' };
    call.id ||= id ?? '';
    call.name ||= part?.name ?? '';
    call.arguments += part?.arguments ?? '';
    this.#calls.set(index, call);
  }

  /** Returns every call once, in the order of the indexes, and clears the assembly. */
  take(): ToolCallRequest[] {
    const calls = [...this.#calls.entries()].sort(([a], [b]) => a - b).map(([, call]) => call);
    this.#calls.clear();
    return calls;
  }
}
