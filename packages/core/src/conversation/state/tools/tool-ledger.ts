import type { ToolOutcome } from '../../../domain/calls/tool-outcome.ts';
import type { ToolCallRequest } from '../../../ports/providers/language-model.ts';

interface LedgerLine {
  readonly call: ToolCallRequest;
  readonly outcome: ToolOutcome | null;
}

/** All tool calls of the conversation by id, each with at most one outcome. */
export type ToolLedger = ReadonlyMap<string, LedgerLine>;

export const emptyLedger: ToolLedger = new Map();

/** Enters a call; a known id is left unchanged (a model that repeats an id starts nothing twice). */
export function enter(ledger: ToolLedger, call: ToolCallRequest): ToolLedger {
  return ledger.has(call.id) ? ledger : new Map(ledger).set(call.id, { call, outcome: null });
}

/** Sets the outcome of a pending call; the first one stands, and outcomes of unknown calls are dropped. */
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

/** Returns the outcome in the form sent to the model. */
export function outcomeText(outcome: ToolOutcome): string {
  if (!outcome.ok) return JSON.stringify({ error: outcome.error });
  return typeof outcome.result === 'string' ? outcome.result : (JSON.stringify(outcome.result) ?? 'null');
}
