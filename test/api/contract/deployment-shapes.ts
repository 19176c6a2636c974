import { z } from 'zod';
import { id, time } from './shapes.ts';

const text = z.string();

export const node = z.strictObject({
  id,
  name: text,
  version: text.nullable(),
  state: z.enum(['starting', 'serving', 'draining', 'lost']),
  started_at: time,
  last_seen_at: time.nullable(),
  calls: z.int(),
  max_calls: z.int().nullable(),
  event_loop_lag_ms: z.number().nullable(),
  is_answering: z.boolean(),
  providers: z.array(
    z.strictObject({
      kind: z.enum(['stt', 'llm', 'tts', 'realtime']),
      provider: text,
      circuits: z.int(),
      open_circuits: z.int(),
      recent_failures: z.int(),
      last_failure: z.strictObject({ fault: text, at: time }).nullable(),
    }),
  ),
  registrations: z.array(
    z.strictObject({
      registrar: text,
      account: text,
      state: z.enum(['registering', 'registered', 'failed']),
      since: time,
      expires_at: time.nullable(),
      reason: text.nullable(),
    }),
  ),
});
export const queue = z.strictObject({
  name: text,
  waiting: z.int().nullable(),
  oldest_seconds: z.number().nullable(),
  recent_failures: z.int(),
});

export const trunkHealth = z.strictObject({
  trunk_id: id,
  state: z.enum(['unknown', 'reachable', 'unreachable', 'degraded']),
  nodes: z.array(
    z.strictObject({
      node_id: id,
      state: z.enum(['unknown', 'reachable', 'unreachable']),
      since: time.nullable(),
      checked_at: time.nullable(),
      round_trip_ms: z.number().nullable(),
      reason: text.nullable(),
      last_webhook_at: time.nullable(),
      last_answer_at: time.nullable(),
      last_failure: z.strictObject({ at: time, reason: text }).nullable(),
    }),
  ),
});
