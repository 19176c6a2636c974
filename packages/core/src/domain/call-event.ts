import { z } from 'zod';

export const callEventTypes = [
  'status',
  /** Who, or what, has answered a call that was placed. */
  'answered-by',
  'transcript',
  'tool-call',
  'tool-result',
  'transfer',
  'latency',
  'dtmf',
] as const;

export const callEventSchema = z.object({
  id: z.uuid(),
  call_id: z.uuid(),
  /** Counts up from 1 within the call: the `id` of the server-sent event. */
  seq: z.int(),
  type: z.enum(callEventTypes),
  data: z.record(z.string(), z.unknown()),
  created_at: z.iso.datetime(),
});

/** Something that happened in a call, for whoever watches it. */
export type CallEvent = z.infer<typeof callEventSchema>;
