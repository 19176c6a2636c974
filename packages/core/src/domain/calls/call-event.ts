import { z } from 'zod';
import { budgetLevels, budgetScopes } from '../costs/budget-level.ts';
import { callStatuses, endReasons, turnLatencySchema } from './call.ts';

const statusDataSchema = z.object({
  status: z.enum(callStatuses),
  /** Null until the call has ended. */
  end_reason: z.enum(endReasons).nullable(),
  error: z.string().nullable(),
});

/** Result of answering-machine detection on an outbound call. */
const answeredByDataSchema = z.object({ kind: z.enum(['human', 'voicemail', 'screening', 'ivr', 'silence']) });

const transcriptDataSchema = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), content: z.string() }),
  z.object({
    role: z.literal('assistant'),
    /** The part that was played to the caller. */
    content: z.string(),
    interrupted: z.boolean(),
    /** The rest of an interrupted reply, as far as the model had generated it; absent if there is none. */
    unheard: z.string().optional(),
  }),
]);

const toolCallDataSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Text if the model's output is no JSON object. */
  arguments: z.union([z.record(z.string(), z.unknown()), z.string()]),
});

const toolResultFields = {
  /** The `id` of the `tool-call` event. */
  id: z.string(),
  name: z.string(),
};
const toolResultDataSchema = z.discriminatedUnion('ok', [
  z.object({ ...toolResultFields, ok: z.literal(true), result: z.unknown().optional() }),
  z.object({ ...toolResultFields, ok: z.literal(false), error: z.string() }),
]);

const transferDataSchema = z.object({
  /** E.164, or a SIP address. */
  destination: z.string(),
  mode: z.enum(['blind', 'warm']),
  status: z.enum(['started', 'accepted', 'refused', 'failed']),
  /** Reason for which a transfer was refused or failed. */
  reason: z.string().nullable(),
});

/** The caller speaks another of the agent's languages, in which the conversation goes on. */
const languageDataSchema = z.object({
  /** BCP 47 tag. */
  language: z.string(),
});

/** A person has begun to speak with the caller in the agent's place, or has stopped. */
const takeOverDataSchema = z.object({ status: z.enum(['started', 'ended']) });

/** A budget of the call has reached a level. Amounts are in the currency of the service. */
const budgetDataSchema = z.object({
  /** `organization`: the organization's credit. */
  scope: z.enum(budgetScopes),
  /** `reached` ends the call. */
  level: z.enum(budgetLevels),
  /** Cost so far: of the call, or of all live calls of the organization in this process. */
  cost: z.number(),
  /** The call's `max_cost`, or the organization's credit before these calls. */
  limit: z.number(),
});

const dtmfDataSchema = z.object({ digit: z.string(), durationMs: z.number() });

/** The schema of `data` by event type. */
const dataSchemas = {
  status: statusDataSchema,
  'answered-by': answeredByDataSchema,
  transcript: transcriptDataSchema,
  'tool-call': toolCallDataSchema,
  'tool-result': toolResultDataSchema,
  language: languageDataSchema,
  transfer: transferDataSchema,
  'take-over': takeOverDataSchema,
  latency: turnLatencySchema,
  budget: budgetDataSchema,
  dtmf: dtmfDataSchema,
};

/** Types of call events. */
export const callEventTypes: readonly CallEventType[] = [
  'status',
  'answered-by',
  'transcript',
  'tool-call',
  'tool-result',
  'language',
  'transfer',
  'take-over',
  'latency',
  'budget',
  'dtmf',
];

/** Type of a call event. */
export type CallEventType = keyof typeof dataSchemas;
/** `data` by event type. */
export type CallEventData = { [Type in CallEventType]: z.output<(typeof dataSchemas)[Type]> };
/** The type of an event with its data. */
export type CallEventContent = { [Type in CallEventType]: { type: Type; data: CallEventData[Type] } }[CallEventType];

const recordFields = {
  id: z.uuid(),
  call_id: z.uuid(),
  /** Counts up from 1 within the call: the `id` of the server-sent event. */
  seq: z.int(),
  created_at: z.iso.datetime(),
};

/** An event of a call. `type` determines the shape of `data`. */
export const callEventSchema = z.discriminatedUnion('type', [
  z.object({ ...recordFields, type: z.literal('status'), data: statusDataSchema }),
  z.object({ ...recordFields, type: z.literal('answered-by'), data: answeredByDataSchema }),
  z.object({ ...recordFields, type: z.literal('transcript'), data: transcriptDataSchema }),
  z.object({ ...recordFields, type: z.literal('tool-call'), data: toolCallDataSchema }),
  z.object({ ...recordFields, type: z.literal('tool-result'), data: toolResultDataSchema }),
  z.object({ ...recordFields, type: z.literal('language'), data: languageDataSchema }),
  z.object({ ...recordFields, type: z.literal('transfer'), data: transferDataSchema }),
  z.object({ ...recordFields, type: z.literal('take-over'), data: takeOverDataSchema }),
  z.object({ ...recordFields, type: z.literal('latency'), data: turnLatencySchema }),
  z.object({ ...recordFields, type: z.literal('budget'), data: budgetDataSchema }),
  z.object({ ...recordFields, type: z.literal('dtmf'), data: dtmfDataSchema }),
]);
/** An event of a call, as stored. */
export type CallEvent = z.infer<typeof callEventSchema>;

/** JSON of a server-sent event: the fields of `data`, and `type`, `call_id` and `at`. */
export const callEventMessageSchema = z.union([
  messageOf('status', statusDataSchema),
  messageOf('answered-by', answeredByDataSchema),
  messageOf('transcript', transcriptDataSchema),
  messageOf('tool-call', toolCallDataSchema),
  messageOf('tool-result', toolResultDataSchema),
  messageOf('language', languageDataSchema),
  messageOf('transfer', transferDataSchema),
  messageOf('take-over', takeOverDataSchema),
  messageOf('latency', turnLatencySchema),
  messageOf('budget', budgetDataSchema),
  messageOf('dtmf', dtmfDataSchema),
]);
/** An event of a call, as event streams send it. */
export type CallEventMessage = z.infer<typeof callEventMessageSchema>;

function messageOf<Type extends CallEventType>(
  type: Type,
  data: (typeof dataSchemas)[Type],
): z.ZodIntersection<
  z.ZodObject<{ type: z.ZodLiteral<Type>; call_id: z.ZodUUID; at: z.ZodISODateTime }>,
  (typeof dataSchemas)[Type]
> {
  return z.intersection(z.object({ type: z.literal(type), call_id: z.uuid(), at: z.iso.datetime() }), data);
}

/** Returns the server-sent form of an event. */
export function toCallEventMessage({ type, call_id, created_at, data }: CallEvent): Record<string, unknown> {
  return { type, call_id, at: created_at, ...data };
}
