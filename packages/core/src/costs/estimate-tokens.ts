import type { ChatMessage } from '../ports/providers/language-model.ts';

const charactersPerToken = 4;
/** Estimated tokens of a message in addition to its text. */
const tokensPerMessage = 4;

/** Estimates the tokens of a text; not a model's own count, but sufficient for a budget. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

/** Returns the text length for a number of tokens. */
export function charactersOf(tokens: number): number {
  return Math.floor(tokens * charactersPerToken);
}

export function estimateMessageTokens(message: ChatMessage): number {
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  const called = calls.reduce((sum, call) => sum + estimateTokens(call.name + call.arguments), 0);
  return tokensPerMessage + estimateTokens(message.content) + called;
}
