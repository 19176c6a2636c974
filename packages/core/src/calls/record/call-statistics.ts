import type { Call } from '../../domain/calls/call.ts';
import { type CallStatisticsRecord, turnClasses, turnClassFields } from '../../domain/calls/call-statistics.ts';
import type { Records } from '../../ports/storage/records.ts';

/** Maximum tool calls that are counted for one phone call. */
const maxTools = 1_000;

type ToolCounts = Pick<CallStatisticsRecord, 'tool_calls' | 'failed_tools'>;

const noTools: ToolCounts = { tool_calls: 0, failed_tools: 0 };

/** Stores what an ended call adds to the statistics. */
export async function insertStatistics(tx: Records, orgId: string, call: Call): Promise<void> {
  const tools = call.answered_at === null ? noTools : await toolsOf(tx, orgId, call.id);
  const record = statisticsOf(call, tools);
  if (record !== null) await tx.callStatistics.insert(orgId, record);
}

/** Returns what a call adds to the statistics; null for a call that has not ended. */
export function statisticsOf(call: Call, tools: ToolCounts): CallStatisticsRecord | null {
  if (call.end_reason === null) return null;
  const turns = call.latency?.turns ?? [];
  return {
    id: call.id,
    agent_id: call.agent_id,
    campaign_id: call.campaign_id,
    day: call.created_at.slice(0, 'YYYY-MM-DD'.length),
    direction: call.direction,
    end_reason: call.end_reason,
    answered: call.answered_at === null ? 0 : 1,
    duration_seconds: call.duration_seconds ?? 0,
    cost: call.cost,
    turns: turns.length,
    interruptions: call.latency?.interruptions_ms.length ?? 0,
    ...tools,
    ...turnsByClass(turns.map(({ total_ms }) => total_ms)),
    created_at: call.created_at,
  };
}

async function toolsOf(tx: Records, orgId: string, callId: string): Promise<ToolCounts> {
  const where = { call_id: callId, type: 'tool-result' } as const;
  const results = await tx.callEvents.list(orgId, { where, limit: maxTools });
  const failed = results.filter(({ type, data }) => type === 'tool-result' && !data.ok);
  return { tool_calls: results.length, failed_tools: failed.length };
}

type TurnCounts = Pick<CallStatisticsRecord, (typeof turnClassFields)[number]>;

function turnsByClass(latenciesMs: readonly number[]): TurnCounts {
  const counts = turnClassFields.map(() => 0);
  for (const latencyMs of latenciesMs) {
    const found = turnClasses.findIndex((boundMs) => latencyMs <= boundMs);
    const at = found < 0 ? turnClasses.length : found;
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return Object.fromEntries(turnClassFields.map((field, at) => [field, counts[at]])) as TurnCounts;
}
