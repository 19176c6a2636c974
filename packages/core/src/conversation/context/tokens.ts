import type { ChatMessage } from '../../ports/providers/language-model.ts';

const charactersPerToken = 4;
/** What a message takes beside its text, roughly. */
const tokensPerMessage = 4;

/** How many tokens a text is taken to be: no model's own count, but near enough for a budget. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

/** How long a text of so many tokens is. */
export function charactersOf(tokens: number): number {
  return Math.floor(tokens * charactersPerToken);
}

export function estimateMessageTokens(message: ChatMessage): number {
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  const called = calls.reduce((sum, call) => sum + estimateTokens(call.name + call.arguments), 0);
  return tokensPerMessage + estimateTokens(message.content) + called;
}
