import type { Agent } from '@va/core';
import type { ConsoleService } from '../support/console-service.ts';
import { seededRandom, uuidAt } from './random.ts';

const events = ['end-of-call-report', 'status-update', 'tool-calls', 'status-update'] as const;

/** Stores deliveries, of which one failed and one is tried again; returns the id of the failed one. */
export async function addDeliveries(
  service: ConsoleService,
  { agent, callId, nowMs }: { readonly agent: Agent; readonly callId: string; readonly nowMs: number },
): Promise<string> {
  const random = seededRandom(5);
  let failedId = '';
  for (const [at, event] of [...events, ...events, ...events].entries()) {
    const atMs = nowMs - 1_240_000 - at * 311_000;
    const created_at = new Date(atMs).toISOString();
    const status = at === 2 ? 'pending' : at === 4 ? 'failed' : 'delivered';
    const id = uuidAt(atMs, random);
    if (status === 'failed') failedId = id;
    const attempt = (afterMs: number, isOk: boolean) => ({
      at: new Date(atMs + afterMs).toISOString(),
      status_code: isOk ? 200 : 503,
      latency_ms: Math.round(60 + random() * 140),
      error: isOk ? null : 'The server answered 503.',
    });
    const isOk = status === 'delivered';
    const delays = isOk ? [0] : status === 'pending' ? [0, 5_000] : [0, 5_000, 65_000, 665_000];
    await service.storage.webhookDeliveries.insert(service.orgId, {
      ...{ id, webhook_id: `msg_${id.slice(-12)}`, agent_id: agent.id, event, status, created_at },
      ...{ call_id: at < 4 ? callId : null, url: agent.webhook_url ?? '', status_code: isOk ? 200 : 503 },
      attempts: delays.map((afterMs) => attempt(afterMs, isOk)),
      payload: { type: event, timestamp: created_at, data: { call_id: callId, agent_name: agent.name } },
      ...{ updated_at: created_at, delivered_at: isOk ? created_at : null },
    });
  }
  return failedId;
}
