import { VaError } from '../../errors.ts';
import type { AnalysisTask } from './analysis-task.ts';
import { repairMessages, structuredMessages } from './prompts.ts';

type Asked = ReturnType<typeof structuredMessages>;
/** Asks the model. */
export type Ask = (messages: readonly Asked[number][]) => Promise<string>;

type Read =
  | { readonly ok: true; readonly data: Record<string, unknown> }
  | { readonly ok: false; readonly faults: readonly string[] };

/** Returns where a value does not fit a schema; empty when it fits. */
export type Check = (schema: Readonly<Record<string, unknown>>, value: unknown) => Promise<readonly string[]>;

/**
 * Asks the model to extract data from the transcript. A response that does not fit the schema is returned to the model
 * once, with its faults.
 * @throws VaError `invalid_schema`, `schema_too_slow`, `invalid_answer`, and what `ask` throws
 */
export async function structuredData(
  { schema, messages }: NonNullable<AnalysisTask['structured']>,
  transcript: string,
  { ask, check }: { readonly ask: Ask; readonly check: Check },
): Promise<Record<string, unknown>> {
  // Checked before the model request, which costs money.
  await check(schema, {});
  const read = async (answer: string): Promise<Read> => {
    const data = jsonObject(answer);
    if (data === null) return { ok: false, faults: ['the answer is not a JSON object'] };
    const faults = await check(schema, data);
    return faults.length === 0 ? { ok: true, data } : { ok: false, faults };
  };
  const asked = structuredMessages(messages, schema, transcript);
  const answer = await ask(asked);
  const first = await read(answer);
  if (first.ok) return first.data;
  const second = await read(await ask(repairMessages(asked, answer, first.faults)));
  if (second.ok) return second.data;
  throw new VaError('invalid_answer', `The model's data do not fit the schema: ${second.faults.join('; ')}.`);
}

/** Returns the JSON object of a response, which may be in code fences or surrounded by text; null if there is none. */
function jsonObject(answer: string): Record<string, unknown> | null {
  const text = answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1);
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
