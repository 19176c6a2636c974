import type { ChatMessage, LlmTool, ToolCallRequest } from '@va/core/adapter';
import { parseFields, type VendorFields } from '../shared/json.ts';

function toolCallPart({ id, name, arguments: args }: ToolCallRequest): VendorFields {
  return { type: 'tool-call', toolCallId: id, toolName: name, input: parseFields(args) ?? {} };
}

/** First message in place of the caller, because Anthropic and Google expect the user to speak first. */
const opening: VendorFields = userMessage('(The call has begun.)');
/** Asks for the rest of a reply that broke off: newer models refuse a conversation that ends with the model's words. */
const continuation: VendorFields = userMessage('(Continue exactly where you stopped.)');

/**
 * Converts the conversation to a prompt of the AI SDK that every vendor accepts: instructions at the beginning only,
 * and turns that begin with the user and end with the user or with tool results.
 */
export function toPrompt(conversation: readonly ChatMessage[]): VendorFields[] {
  const messages = conversation.filter((message) => !isEmpty(message));
  const firstTurn = messages.findIndex(({ role }) => role !== 'system');
  const instructions = firstTurn < 0 ? messages : messages.slice(0, firstTurn);
  const turns = firstTurn < 0 ? [] : messages.slice(firstTurn);
  const converted = toTurns(turns);
  const needsOpening = turns[0]?.role !== 'user';
  const needsContinuation = turns.at(-1)?.role === 'assistant';
  return [
    ...instructions.map(({ content }) => ({ role: 'system', content })),
    ...(needsOpening ? [opening] : []),
    ...converted,
    ...(needsContinuation ? [continuation] : []),
  ];
}

function isEmpty(message: ChatMessage): boolean {
  return message.role === 'assistant' && message.content === '' && (message.toolCalls ?? []).length === 0;
}

function userMessage(text: string): VendorFields {
  return { role: 'user', content: [{ type: 'text', text }] };
}

/**
 * Converts the turns. Tool results get the name of their tool; instructions between the turns become messages of the
 * user.
 */
function toTurns(messages: readonly ChatMessage[]): VendorFields[] {
  const names = new Map<string, string>();
  return messages.map((message): VendorFields => {
    if (message.role === 'system') return userMessage(`(Instruction: ${message.content})`);
    if (message.role === 'user') return userMessage(message.content);
    if (message.role === 'tool') {
      const { toolCallId, content } = message;
      const output = { type: 'text', value: content };
      const toolName = names.get(toolCallId) ?? 'unknown';
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] };
    }
    const { content } = message;
    const toolCalls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
    for (const { id, name } of toolCalls) names.set(id, name);
    const text = content === '' ? [] : [{ type: 'text', text: content }];
    return { role: 'assistant', content: [...text, ...toolCalls.map(toolCallPart)] };
  });
}

/** Converts a tool to a function tool of the AI SDK. */
export function toTool({ name, description, parameters }: LlmTool): VendorFields {
  return { type: 'function', name, description, inputSchema: parameters };
}
