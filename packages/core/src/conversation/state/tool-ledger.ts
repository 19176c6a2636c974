import type { ToolCallRequest } from '../../ports/providers/language-model.ts';

/** What a tool call came to. */
export type ToolOutcome = { ok: true; result: unknown } | { ok: false; error: string };

interface LedgerLine {
  readonly call: ToolCallRequest;
  readonly outcome: ToolOutcome | null;
}

/** Every tool call of the conversation by its id, each with at most one outcome. */
export type ToolLedger = ReadonlyMap<string, LedgerLine>;

export const emptyLedger: ToolLedger = new Map();

/** Enters a call; one that is entered already stays as it is (a model repeating an id starts nothing twice). */
export function enter(ledger: ToolLedger, call: ToolCallRequest): ToolLedger {
  return ledger.has(call.id) ? ledger : new Map(ledger).set(call.id, { call, outcome: null });
}

/** Gives a pending call its outcome; the first one stands, and one for an unknown call is dropped. */
export function settle(ledger: ToolLedger, callId: string, outcome: ToolOutcome): ToolLedger {
  const line = ledger.get(callId);
  if (line === undefined || line.outcome !== null) return ledger;
  return new Map(ledger).set(callId, { call: line.call, outcome });
}

export function pendingCalls(ledger: ToolLedger): ToolCallRequest[] {
  return [...ledger.values()].filter(({ outcome }) => outcome === null).map(({ call }) => call);
}

export function hasPendingCalls(ledger: ToolLedger): boolean {
  for (const { outcome } of ledger.values()) if (outcome === null) return true;
  return false;
}

/** The outcome as the model reads it. */
export function outcomeText(outcome: ToolOutcome): string {
  if (!outcome.ok) return JSON.stringify({ error: outcome.error });
  return typeof outcome.result === 'string' ? outcome.result : (JSON.stringify(outcome.result) ?? 'null');
}
