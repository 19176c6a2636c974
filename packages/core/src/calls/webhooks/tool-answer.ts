/** What came of one tool call at the customer's server. */
export type ToolAnswer = { ok: true; result: unknown } | { ok: false; error: string };

/**
 * Reads the customer's answer to a `tool-calls` webhook: exactly one answer for each call asked, whatever the body is.
 *
 * Accepted are `{results: [{toolCallId, result | error}]}`, `{result}`, `{error}`, and the result itself as the body.
 * The last three name no call, so they answer every call of the request. In the first, what answers no asked call is
 * ignored, the first of two answers to a call counts, and a call without one has failed.
 */
export function toolResults(body: unknown, calls: readonly { readonly id: string }[]): Map<string, ToolAnswer> {
  const byId = isRecord(body) ? listedAnswers(body.results) : null;
  const common = byId === null ? commonAnswer(body) : missingResult;
  return new Map(calls.map(({ id }) => [id, byId?.get(id) ?? common]));
}

/** The outcome of a call that the answer does not mention. */
export const missingResult: ToolAnswer = { ok: false, error: 'The answer has no result for this tool call.' };

/** Null where it is not the list form: a tool may well return something of its own that is called `results`. */
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
