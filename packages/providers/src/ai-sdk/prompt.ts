import type { ChatMessage, LlmTool, ToolCallRequest } from '@va/core/adapter';
import { type Fields, parseFields } from '../shared/json.ts';

function toolCallPart({ id, name, arguments: args }: ToolCallRequest): Fields {
  return { type: 'tool-call', toolCallId: id, toolName: name, input: parseFields(args) ?? {} };
}

/** Converts the conversation to a prompt of the AI SDK, in which results of tools name their tool. */
export function toPrompt(messages: readonly ChatMessage[]): Fields[] {
  const names = new Map<string, string>();
  return messages.map((message): Fields => {
    if (message.role === 'system') return { role: 'system', content: message.content };
    if (message.role === 'user') return { role: 'user', content: [{ type: 'text', text: message.content }] };
    if (message.role === 'tool') {
      const { toolCallId, content } = message;
      const output = { type: 'text', value: content };
      const toolName = names.get(toolCallId) ?? 'unknown';
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] };
    }
    const { content } = message;
    const toolCalls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
    for (const { id, name } of toolCalls) names.set(id, name);
    const text = content === '' && toolCalls.length > 0 ? [] : [{ type: 'text', text: content }];
    return { role: 'assistant', content: [...text, ...toolCalls.map(toolCallPart)] };
  });
}

export function toTool({ name, description, parameters }: LlmTool): Fields {
  return { type: 'function', name, description, inputSchema: parameters };
}
