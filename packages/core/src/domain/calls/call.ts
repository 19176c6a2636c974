import { z } from 'zod';
import { costItemSchema } from '../costs/cost-item.ts';

/** States of a call. */
export const callStatuses = ['queued', 'connecting', 'in-progress', 'ended', 'failed'] as const;
/** State of a call. */
export type CallStatus = (typeof callStatuses)[number];

/** Reasons for which a call ends. */
export const endReasons = [
  'user_hangup',
  'agent_hangup',
  'api_hangup',
  'transferred',
  'max_duration',
  'budget_exceeded',
  'silence_timeout',
  'voicemail',
  'canceled',
  'caller_abandoned',
  'rejected_by_webhook',
  'rejected_inactive',
  'no_agent',
  'insufficient_credits',
  'concurrency_limit_exceeded',
  'no_answer',
  'busy',
  'declined',
  'invalid_destination',
  'dial_failed',
  'stt_error',
  'llm_error',
  'tts_error',
  'transport_error',
  'worker_lost',
  'service_shutdown',
  'internal_error',
] as const;
/** Reason for which a call ended. */
export type EndReason = (typeof endReasons)[number];

/** Directions of a call; `web` is a call from a browser. */
export const callDirections = ['inbound', 'outbound', 'web'] as const;
/** Direction of a call; `web` is a call from a browser. */
export type CallDirection = (typeof callDirections)[number];

/** States of a call's analysis: `pending` while the model analyses the call, which takes at most one minute. */
export const analysisStatuses = ['pending', 'completed', 'failed'] as const;
/** State of a call's analysis. */
export type AnalysisStatus = (typeof analysisStatuses)[number];

export const transcriptMessageSchema = z.object({ role: z.enum(['user', 'assistant']), content: z.string() });
/** A message of the caller, or the part of a message of the agent that was played to the caller. */
export type TranscriptMessage = z.infer<typeof transcriptMessageSchema>;

const percentilesSchema = z.object({ p50: z.number(), p95: z.number() });

export const turnLatencySchema = z.object({
  /** Milliseconds from the caller's last speech frame to the first frame of the reply. */
  total_ms: z.number(),
  /** From the caller's last speech frame to the decision that the turn is over. */
  endpointing_ms: z.number(),
  /** From the caller's last speech frame to the recognizer's last words of the turn; 0 if those came earlier. */
  stt_final_ms: z.number().nullable(),
  /** From the caller's last speech frame to the first audio of the reply being handed to the playout. */
  first_audio_ms: z.number().nullable(),
  /** From the end of the turn to the model's first token. */
  llm_first_token_ms: z.number().nullable(),
  /** From the text handed to the synthesizer to its first audio. */
  tts_first_byte_ms: z.number().nullable(),
});
/** Latency of one turn of the agent, in milliseconds. */
export type TurnLatency = z.infer<typeof turnLatencySchema>;

const callLatencySchema = z.object({
  turns: z.array(turnLatencySchema),
  total_ms: percentilesSchema.nullable(),
  /** Barge-in latency of each interruption: from the start of the caller's speech to the agent's silence. */
  interruptions_ms: z.array(z.number()),
  /** Number of replies prepared before the end of a turn, and of those used. Absent for calls of earlier versions. */
  prepared_replies: z.object({ made: z.int(), used: z.int() }).optional(),
});
/** Latency of the turns and interruptions of a call, in milliseconds. */
export type CallLatency = z.infer<typeof callLatencySchema>;

const callMediaSchema = z.object({
  /** From the other party to the agent. */
  received: z.object({
    packets: z.int(),
    packets_lost: z.int(),
    /** Packets that arrived too late to be played, or twice. */
    packets_dropped: z.int(),
    jitter_ms: z.number(),
  }),
  /** From the agent to the other party; null without RTCP reports from its phone or network. */
  sent: z.object({ packets: z.int(), packets_lost: z.int().nullable(), jitter_ms: z.number().nullable() }),
  round_trip_ms: z.number().nullable(),
});
/** Network quality of the call's media. */
export type CallMedia = z.infer<typeof callMediaSchema>;

/** A call, as the API returns it. */
export const callSchema = z.object({
  id: z.uuid(),
  caller_phone: z.string().nullable(),
  assistant_phone: z.string().nullable(),
  status: z.enum(callStatuses),
  error: z.string().nullable(),
  /** Time of arrival, or of dialing; null while queued. */
  started_at: z.iso.datetime().nullable(),
  answered_at: z.iso.datetime().nullable(),
  ended_at: z.iso.datetime().nullable(),
  duration_seconds: z.int().nullable(),
  summary: z.string().nullable(),
  analysis_result: z.record(z.string(), z.unknown()).nullable(),
  /** Null until the call has ended, and if there is nothing to analyse. */
  analysis_status: z.enum(analysisStatuses).nullable(),
  /** Reason of a missing summary or result. */
  analysis_error: z.string().nullable(),
  messages: z.array(transcriptMessageSchema),
  room_name: z.string(),
  agent_id: z.uuid().nullable(),
  number_id: z.uuid().nullable(),
  agent_name: z.string().nullable(),
  business_name: z.string().nullable(),
  phone_number: z.string().nullable(),
  direction: z.enum(callDirections),
  end_reason: z.enum(endReasons).nullable(),
  recording_url: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  variables: z.record(z.string(), z.unknown()).nullable(),
  campaign_id: z.uuid().nullable(),
  lead_id: z.uuid().nullable(),
  /** The publishable key that a page began the call with. */
  publishable_key_id: z.uuid().nullable(),
  transfer_destination: z.string().nullable(),
  /** Sum of the prices in `cost_breakdown`; null if nothing has a price. */
  cost: z.number().nullable(),
  /** Usage of providers, and the minutes of the call; complete once the call is analysed. Empty for older calls. */
  cost_breakdown: z.array(costItemSchema),
  latency: callLatencySchema.nullable(),
  media: callMediaSchema.nullable(),
  /** Time at which transcript, recording and everything derived from them were erased; null if kept. */
  erased_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** The record of one call. Names of agent and business are those at the time of the call. */
export type Call = z.infer<typeof callSchema>;

/** A call as stored, with the id of the process that runs it; null after its end. */
export type CallRecord = Call & {
  node_id: string | null;
  /** Sequence number of the last webhook stored for the call; 0 for none. */
  webhook_sequence: number;
  /** Longest duration of a call with a publishable key, which counts as used while the call lasts. */
  reserved_seconds: number | null;
};

/** Returns the fields of a call that the API shows. */
export function shownCall({ node_id: _, webhook_sequence: __, reserved_seconds: ___, ...call }: CallRecord): Call {
  return call;
}

/** Allowed transitions between stored states. `ended` and `failed` are terminal. */
export const callTransitions: Readonly<Record<CallStatus, readonly CallStatus[]>> = {
  queued: ['connecting', 'ended', 'failed'],
  connecting: ['in-progress', 'ended', 'failed'],
  'in-progress': ['ended', 'failed'],
  ended: [],
  failed: [],
};
