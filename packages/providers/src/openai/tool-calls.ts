import type { ToolCallRequest } from '@va/core/adapter';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';

type ToolCallDelta = ChatCompletionChunk.Choice.Delta.ToolCall;

interface PartialCall {
  readonly index: number;
  id: string;
  name: string;
  arguments: string;
}

/**
 * Assembles the chunks of a reply's tool calls; several calls may be interleaved, distinguished by their index. Some
 * compatible services send no index, or 0 for every call: a chunk with a name and another id then begins a call.
 */
export class ToolCallAssembly {
  #calls: PartialCall[] = [];

  add(delta: ToolCallDelta): void {
    // Compatible services send null for what they leave out.
    const index = delta.index ?? 0;
    const id = delta.id ?? '';
    const name = delta.function?.name ?? '';
    const args = delta.function?.arguments ?? '';
    const call = this.#calls.findLast((each) => each.index === index);
    const isOther = call !== undefined && name !== '' && id !== '' && call.id !== '' && call.id !== id;
    if (call === undefined || isOther) {
      this.#calls.push({ index, id, name, arguments: args });
      return;
    }
    call.id ||= id;
    call.name ||= name;
    call.arguments += args;
  }

  /** Returns every tool call once, in the order of the indexes, and clears the assembly. */
  take(): ToolCallRequest[] {
    const calls = this.#calls.sort((a, b) => a.index - b.index);
    this.#calls = [];
    return calls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args }));
  }
}
