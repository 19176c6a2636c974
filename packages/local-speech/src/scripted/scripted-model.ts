import type { ChatMessage, LanguageModel, LlmEvent, LlmRequest } from '@va/core/adapter';
import { applyRules, parseScript, type Rule, scriptSchema } from './rules.ts';
import { fillDeep, fillTemplate, type TemplateValues } from './template.ts';

const endCallTool = 'endCall';

let calls = 0;

function toolCall(name: string, args: unknown): LlmEvent {
  calls++;
  return { type: 'tool-call', call: { id: `scripted-${calls}`, name, arguments: JSON.stringify(args) } };
}

/** Yields a text word by word, like a model's tokens. */
function* spoken(text: string): Generator<LlmEvent> {
  for (const [word] of text.matchAll(/\S+\s*/g)) yield { type: 'text', text: word };
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}

/**
 * Yields a rule's first reply: words, then its tool call, or a tool call of `endCall` if the rule ends the phone call
 * and has no other tool.
 */
function* reply(rule: Rule, values: TemplateValues): Generator<LlmEvent> {
  yield* spoken(fillTemplate(rule.say ?? '', values));
  if (rule.call !== undefined) yield toolCall(rule.call.tool, fillDeep(rule.call.arguments, values));
  else if (rule.endCall) yield toolCall(endCallTool, {});
}

function* afterTool(rule: Rule, values: TemplateValues): Generator<LlmEvent> {
  yield* spoken(fillTemplate(rule.thenSay ?? '', values));
  if (rule.endCall) yield toolCall(endCallTool, {});
}

/** Returns the name of the tool whose result is the last message; undefined for another message. */
function answeredTool(messages: readonly ChatMessage[]): string | undefined {
  const last = messages.at(-1);
  if (last?.role !== 'tool') return undefined;
  const requests = messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
  return requests.find(({ id }) => id === last.toolCallId)?.name;
}

function* answer({ config, messages }: LlmRequest): Generator<LlmEvent> {
  const { rules, fallback } = parseScript(config);
  const results = messages.flatMap((message) => (message.role === 'tool' ? [message.content] : []));
  const applied = applyRules(
    rules,
    messages.flatMap((message) => (message.role === 'user' ? [message.content] : [])),
  );
  const toolResult = results.length === 0 ? undefined : parsed(results.at(-1) ?? '');
  const values = { match: applied?.match, toolResult };
  const answered = answeredTool(messages);
  if (answered === endCallTool) return;
  if (applied === undefined) yield* spoken(fillTemplate(fallback, values));
  else yield* answered === undefined ? reply(applied.rule, values) : afterTool(applied.rule, values);
}

/**
 * Creates a language model that follows rules in `llm_config`:
 *
 * ```json
 * {
 *   "provider": "scripted",
 *   "rules": [
 *     { "when": "table for (?<people>\\w+)", "say": "One moment.",
 *       "call": { "tool": "book_table", "arguments": { "people": "$<people>" } },
 *       "thenSay": "Done: your table for $<people> has the number {{result.number}}." },
 *     { "when": "goodbye", "say": "Goodbye!", "endCall": true }
 *   ],
 *   "fallback": "Could you say that again?"
 * }
 * ```
 *
 * The first rule whose `when` (a case-insensitive regular expression) matches the caller's last words determines the
 * reply. Iterating throws a `ProviderError` of fault `invalid_request` when the rules have another shape.
 *
 * @example createVoiceAgents({ providers: [scriptedModel(), …], … })
 */
export function scriptedModel(): LanguageModel {
  return {
    kind: 'llm',
    id: 'scripted',
    isLocal: true,
    optionsSchema: scriptSchema,
    async *stream(request) {
      for (const event of answer(request)) {
        if (request.signal.aborted) return;
        yield event;
      }
    },
  };
}
