import { VaError } from '../../errors.ts';
import { type SchemaCheck, schemaCheck } from '../../operations/json-schema.ts';
import type { AnalysisTask } from './analysis-task.ts';
import { repairMessages, structuredMessages } from './prompts.ts';

type Asked = ReturnType<typeof structuredMessages>;
/** Asks the model. */
export type Ask = (messages: readonly Asked[number][]) => Promise<string>;

type Read =
  | { readonly ok: true; readonly data: Record<string, unknown> }
  | { readonly ok: false; readonly faults: string[] };

/**
 * What the model takes from the transcript, by the schema. An answer that does not fit it is given back once, with what is
 * wrong.
 * @throws VaError `invalid_schema`, `invalid_answer`, and what `ask` throws
 */
export async function structuredData(
  { schema, messages }: NonNullable<AnalysisTask['structured']>,
  transcript: string,
  ask: Ask,
): Promise<Record<string, unknown>> {
  const check = await schemaCheck(schema);
  const asked = structuredMessages(messages, schema, transcript);
  const answer = await ask(asked);
  const first = read(answer, check);
  if (first.ok) return first.data;
  const second = read(await ask(repairMessages(asked, answer, first.faults)), check);
  if (second.ok) return second.data;
  throw new VaError('invalid_answer', `The model's data do not fit the schema: ${second.faults.join('; ')}.`);
}

function read(answer: string, check: SchemaCheck): Read {
  const data = jsonObject(answer);
  if (data === null) return { ok: false, faults: ['the answer is not a JSON object'] };
  const faults = check(data);
  return faults.length === 0 ? { ok: true, data } : { ok: false, faults };
}

/** Models put JSON between fences, and words around it. */
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
