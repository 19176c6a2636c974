import type { MessageFields } from './message-fields.ts';

/** Error of a rejected request, in the fields of OpenAI's error object. */
export interface OpenAiRefusal {
  readonly param: string;
  readonly code: string | null;
  readonly message: string;
}

/**
 * Returns the rejection of a request by chat completions for the general GPT-5 models, as reported by users; null for
 * an accepted one.
 */
export function refusalOf(body: MessageFields): OpenAiRefusal | null {
  const model = String(body.model);
  const version = Number(/^gpt-(5(?:\.\d+)?)(?:-|$)/.exec(model)?.[1]);
  if (Number.isNaN(version)) return null;
  const { reasoning_effort: effort, temperature, tools } = body;
  const reasons = version < 5.1 || (effort !== undefined && effort !== 'none');
  if (reasons && temperature !== undefined && temperature !== 1) {
    const message = `Unsupported value: 'temperature' does not support ${String(temperature)} with this model.`;
    return { param: 'temperature', code: 'unsupported_value', message };
  }
  if (version >= 5.1 && effort === 'minimal') {
    const message = `Unsupported value: 'reasoning_effort' does not support 'minimal' with this model.`;
    return { param: 'reasoning_effort', code: 'unsupported_value', message };
  }
  const hasTools = Array.isArray(tools) && tools.length > 0;
  const isRefused = version >= 5.5 ? effort !== 'none' : version >= 5.2 && effort !== undefined;
  if (!hasTools || !isRefused) return null;
  const message = `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions.`;
  return { param: 'reasoning_effort', code: null, message };
}
