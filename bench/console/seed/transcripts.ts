import type { TranscriptMessage } from '@va/core';
import type { Random } from './random.ts';
import { spokenWords } from './vocabulary.ts';

/** Share of the calls in which an order number is said. No two calls have the same number. */
const orderNumberShare = 0.3;

/** Returns the messages of a call: a greeting, then turns of both sides. */
export function transcriptOf(random: Random, call: number, turns: number): TranscriptMessage[] {
  const messages: TranscriptMessage[] = [{ role: 'assistant', content: 'Hello, how can I help you today?' }];
  for (let turn = 0; turn < turns; turn += 1) {
    messages.push({ role: 'user', content: sentence(random, random.integer(3, 14)) });
    messages.push({ role: 'assistant', content: sentence(random, random.integer(6, 18)) });
  }
  if (random.chance(orderNumberShare)) {
    messages.push({ role: 'user', content: `My order number is ${orderNumber(call)}.` });
  }
  return messages;
}

/** Returns a word that is in one call at most. */
export function orderNumber(call: number): string {
  return `ord${(call + 46_656).toString(36)}`;
}

function sentence(random: Random, words: number): string {
  const text = Array.from({ length: words }, () => spokenWords.pick(random)).join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${random.chance(0.3) ? '?' : '.'}`;
}
