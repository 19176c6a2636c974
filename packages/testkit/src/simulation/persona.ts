import type { LlmConfig } from '@va/core';
import { type ChatMessage, type LanguageModel, systemClock } from '@va/core/adapter';
import { silentLogger } from '../silent-logger.ts';
import type { CallerPlayer } from './caller.ts';
import type { SpokenLine } from './conversation.ts';

/** Options of `personaCaller`: the model that plays the caller, and whom it plays. */
export interface PersonaCallerOptions {
  readonly model: LanguageModel;
  /** Description of the caller: name, wishes, behaviour. */
  readonly persona: string;
  /** Settings of the model, such as its `model` and `temperature`. */
  readonly config?: Readonly<Partial<LlmConfig>>;
  /** Number of lines after which the caller hangs up. Default: 20. */
  readonly maxLines?: number;
}

const hangUp = '[hangs up]';

const instructions = `You play a person who is on the telephone with a company's assistant. Never help the assistant, \
and never leave your part. Answer with the words that you say and nothing else: one or two short sentences, as they \
are spoken. When you have what you called for, or the assistant has said goodbye, answer with ${hangUp} alone.

Who you are:
`;

/**
 * A caller that a language model plays.
 *
 * @example simulateConversation({ caller: personaCaller({ model, persona: 'You want a table for two on Friday.' }), …
 * })
 */
export function personaCaller({ model, persona, config = {}, maxLines = 20 }: PersonaCallerOptions): CallerPlayer {
  return async ({ lines, turn }) => {
    if (turn >= maxLines) return null;
    let text = '';
    const reply = model.stream({
      config: { messages: [], tools: [], ...config, provider: model.id },
      messages: [{ role: 'system', content: instructions + persona }, ...asHeardByCaller(lines)],
      tools: [],
      signal: new AbortController().signal,
      clock: systemClock,
      logger: silentLogger,
    });
    for await (const event of reply) if (event.type === 'text') text += event.text;
    const said = text.replaceAll(hangUp, '').trim();
    return said === '' ? null : said;
  };
}

/** Returns the conversation with swapped roles: the agent's words are the user messages of this model. */
function asHeardByCaller(lines: readonly SpokenLine[]): ChatMessage[] {
  const messages = lines.map(
    ({ speaker, text }): ChatMessage => ({ role: speaker === 'agent' ? 'user' : 'assistant', content: text }),
  );
  return messages.at(-1)?.role === 'user' ? messages : [...messages, { role: 'user', content: '(silence)' }];
}
