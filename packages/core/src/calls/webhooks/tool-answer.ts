/** Outcome of one tool call on the customer's server. */
export type ToolAnswer = { ok: true; result: unknown } | { ok: false; error: string };

/**
 * Reads the response to a `tool-calls` webhook: exactly one outcome per requested tool call, whatever the body is.
 *
 * Accepts `{results: [{toolCallId, result | error}]}`, `{result}`, `{error}`, and the result itself as the body. The
 * last three name no tool call and apply to every tool call of the request. In the first, results of other tool calls
 * are ignored, the first result of a tool call counts, and a tool call without a result has failed.
 */
export function toolResults(body: unknown, calls: readonly { readonly id: string }[]): Map<string, ToolAnswer> {
  const byId = isRecord(body) ? listedAnswers(body.results) : null;
  const common = byId === null ? commonAnswer(body) : missingResult;
  return new Map(calls.map(({ id }) => [id, byId?.get(id) ?? common]));
}

/** Outcome of a tool call that the response does not mention. */
export const missingResult: ToolAnswer = { ok: false, error: 'The answer has no result for this tool call.' };

/** Returns null unless the body has the list form: a tool may return something of its own called `results`. */
function listedAnswers(results: unknown): Map<string, ToolAnswer> | null {
  if (!Array.isArray(results)) return null;
  const answers = new Map<string, ToolAnswer>();
  for (const entry of results) {
    if (!isRecord(entry) || typeof entry.toolCallId !== 'string') continue;
    if (!answers.has(entry.toolCallId)) answers.set(entry.toolCallId, entryAnswer(entry));
  }
  return answers.size === 0 ? null : answers;
}

function commonAnswer(body: unknown): ToolAnswer {
  const entry = isRecord(body) && ('result' in body || typeof body.error === 'string');
  return entry ? entryAnswer(body) : { ok: true, result: body ?? null };
}

function entryAnswer(entry: Record<string, unknown>): ToolAnswer {
  const { error, result } = entry;
  return typeof error === 'string' ? { ok: false, error } : { ok: true, result: result ?? null };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
