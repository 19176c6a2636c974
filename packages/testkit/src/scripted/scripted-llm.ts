import { type LanguageModel, type LlmEvent, type LlmRequest, pause } from '@va/core/adapter';

/** A reply of the model: events in order, with numbers as pauses in milliseconds and an Error to throw. */
export type ScriptedReply = readonly (LlmEvent | number | Error)[];

/** Language model that returns prepared replies and records its requests. */
export interface ScriptedLlm extends LanguageModel {
  /** The requests so far. */
  readonly requests: readonly LlmRequest[];
}

const scripted = new WeakSet<LanguageModel>();

/** Returns true if the model's delays follow the clock that it is given. */
export function isScriptedLlm(model: LanguageModel): boolean {
  return scripted.has(model);
}

/**
 * Returns a reply of one text.
 *
 * @example scriptedLlm([saying('Which day suits you?')])
 */
export function saying(text: string): ScriptedReply {
  return [{ type: 'text', text }];
}

/**
 * Returns a reply that calls one tool.
 *
 * @example scriptedLlm([calling('book_table', { people: 2 }), saying('Done.')])
 */
export function calling(name: string, args: Record<string, unknown> = {}, id: string = `call-${name}`): ScriptedReply {
  return [{ type: 'tool-call', call: { id, name, arguments: JSON.stringify(args) } }];
}

/**
 * Returns a language model that replies by the script: a list of replies, one per request (the last one repeats), or a
 * function of the request.
 *
 * @example createVoiceAgents({ providers: [scriptedStt(), scriptedLlm([saying('Hello.')]), scriptedTts()], … })
 */
export function scriptedLlm(
  script: readonly ScriptedReply[] | ((request: LlmRequest, index: number) => ScriptedReply),
  options: { readonly id?: string } = {},
): ScriptedLlm {
  const requests: LlmRequest[] = [];
  const model: ScriptedLlm = {
    kind: 'llm',
    id: options.id ?? 'scripted',
    requests,
    async *stream(request) {
      const index = requests.push(request) - 1;
      const reply =
        typeof script === 'function' ? script(request, index) : (script[Math.min(index, script.length - 1)] ?? []);
      for (const item of reply) {
        if (request.signal.aborted) return;
        if (item instanceof Error) throw item;
        if (typeof item === 'number') await pause(item, request.clock, request.signal);
        else yield item;
      }
    },
  };
  scripted.add(model);
  return model;
}
