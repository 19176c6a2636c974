/** Outcome of a tool call. */
export type ToolOutcome = { ok: true; result: unknown } | { ok: false; error: string };
