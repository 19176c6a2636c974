import type { ChatMessage, LlmTool } from '@va/core/adapter';
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';

/** Converts a message of the conversation. An assistant message with only tool calls has the content null. */
export function toOpenAiMessage(message: ChatMessage): ChatCompletionMessageParam {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  if (message.role !== 'assistant' || !message.toolCalls?.length)
    return { role: message.role, content: message.content };
  const calls = message.toolCalls.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: args },
  }));
  return { role: 'assistant', content: message.content === '' ? null : message.content, tool_calls: calls };
}

/** Converts a tool to a function tool. */
export function toOpenAiTool({ name, description, parameters }: LlmTool): ChatCompletionTool {
  return { type: 'function', function: { name, description, parameters } };
}
