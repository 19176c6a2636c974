import { z } from 'zod';
import { endReasons, transcriptMessageSchema } from '../calls/call.ts';
import { campaignStatuses } from '../campaigns/campaign.ts';
import { usageKinds } from '../costs/usage-kind.ts';

const callTypes = ['inboundPhoneCall', 'outboundPhoneCall', 'webCall'] as const;
const callStatuses = ['ringing', 'in-progress', 'ended', 'ended-with-error'] as const;

const webhookCallSchema = z.looseObject({
  id: z.uuid(),
  type: z.enum(callTypes),
  status: z.enum(callStatuses),
});

const agentSchema = z.looseObject({ id: z.uuid(), name: z.string().nullable() }).nullable();
/** `metadata` of the call, or of the agent. */
const metadataSchema = z.record(z.string(), z.unknown());
const freeObject = z.record(z.string(), z.unknown());

/** The configuration of the call, without secrets. */
const assistantSchema = z.looseObject({
  /** Null for an agent that is not saved. */
  id: z.uuid().nullable(),
  name: z.string().nullable(),
  /** With its placeholders filled, as spoken. */
  firstMessage: z.string().nullable(),
  stt_config: freeObject.nullable(),
  llm_config: freeObject.nullable(),
  tts_config: freeObject.nullable(),
  analysisPlan: freeObject.nullable(),
  maxDurationSeconds: z.int(),
});

const stamp = {
  /** Creation time, ISO 8601 with milliseconds. */
  timestamp: z.iso.datetime(),
};

const callFields = {
  ...stamp,
  call: webhookCallSchema,
  /** The agent of the call; null if it is unknown yet or not saved. */
  agent: agentSchema,
  /** The service's number. */
  phoneNumber: z.looseObject({ number: z.string().nullable(), name: z.string().nullable() }),
  /** The other party's number. */
  customer: z.looseObject({ number: z.string().nullable() }),
  metadata: metadataSchema,
};

const assistantField = { assistant: assistantSchema.optional() };

/** Asks the customer's server for the configuration of a ringing inbound call. */
export const assistantRequestMessageSchema = z.looseObject({
  type: z.literal('assistant-request'),
  ...callFields,
  call: webhookCallSchema.extend({
    /** `realtime` if the saved agent uses a speech-to-speech model. */
    pipeline: z.enum(['pipeline', 'realtime']),
  }),
});

/** Asks the customer's server to run a tool. */
export const toolCallsMessageSchema = z.looseObject({
  type: z.literal('tool-calls'),
  ...callFields,
  ...assistantField,
  toolCallList: z.array(
    z.looseObject({
      /** Identifies the tool call in the response. */
      id: z.string(),
      type: z.literal('function'),
      function: z.looseObject({ name: z.string(), arguments: freeObject }),
    }),
  ),
});

const endFields = {
  endReason: z.enum(endReasons).nullable().optional(),
  /** Present if the call ended with an error. */
  error: z.string().nullable().optional(),
  /** Destination of the transfer. */
  transferDestination: z.string().optional(),
};

/** Reports the status of a call in progress or ended. */
export const statusUpdateMessageSchema = z.looseObject({
  type: z.literal('status-update'),
  ...callFields,
  ...assistantField,
  ...endFields,
});

/** Reports an ended call once its analysis is done, at most 60 s after its end. */
export const endOfCallReportMessageSchema = z.looseObject({
  type: z.literal('end-of-call-report'),
  ...callFields,
  ...assistantField,
  ...endFields,
  startedAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
  /** Duration from the answer to the end. */
  durationSeconds: z.int().nullable(),
  summary: z.string().nullable(),
  messages: z.array(transcriptMessageSchema),
  /** Structured data of the analysis; null if there is none. */
  analysis: freeObject.nullable(),
  /** Reason of a missing summary or analysis. */
  analysisError: z.string().optional(),
  recordingUrl: z.string().nullable(),
  cost: z.number().nullable(),
  /** Usage of providers, the analysis included, and the minutes of the call. */
  costBreakdown: z.array(
    z.looseObject({
      provider: z.string(),
      model: z.string().nullable(),
      kind: z.enum(usageKinds),
      quantity: z.number(),
      unit: z.enum(['token', 'second', 'character', 'minute']),
      /** In the currency of the service; null without a price. */
      price: z.number().nullable(),
      isEstimate: z.boolean(),
      ownKey: z.boolean(),
    }),
  ),
  variables: freeObject,
});

/** Reports a change of a campaign's status. */
export const campaignUpdateMessageSchema = z.looseObject({
  type: z.literal('campaign-update'),
  ...stamp,
  agent: agentSchema,
  metadata: metadataSchema,
  campaign: z.looseObject({
    id: z.uuid(),
    name: z.string(),
    status: z.enum(campaignStatuses),
    statusReason: z.string().nullable(),
    totalLeads: z.int(),
    pendingLeads: z.int(),
    callingLeads: z.int(),
    completedLeads: z.int(),
    failedLeads: z.int(),
    skippedLeads: z.int(),
  }),
});

/** Sent on request to test the agent's server. */
export const testMessageSchema = z.looseObject({
  type: z.literal('test'),
  ...stamp,
  agent: agentSchema,
  metadata: metadataSchema,
});

/** `message` of a webhook's body. Later versions may add fields. */
export const webhookMessageSchema = z.discriminatedUnion('type', [
  assistantRequestMessageSchema,
  toolCallsMessageSchema,
  statusUpdateMessageSchema,
  endOfCallReportMessageSchema,
  campaignUpdateMessageSchema,
  testMessageSchema,
]);

/** Asks the customer's server for the configuration of a ringing inbound call. */
export type AssistantRequestMessage = z.infer<typeof assistantRequestMessageSchema>;
/** Asks the server to run tools. */
export type ToolCallsMessage = z.infer<typeof toolCallsMessageSchema>;
/** Reports a new state of a call. */
export type StatusUpdateMessage = z.infer<typeof statusUpdateMessageSchema>;
/** Reports an ended call with its transcript and analysis. */
export type EndOfCallReportMessage = z.infer<typeof endOfCallReportMessageSchema>;
/** Reports a new state of a campaign. */
export type CampaignUpdateMessage = z.infer<typeof campaignUpdateMessageSchema>;
/** Message of a webhook test. */
export type TestMessage = z.infer<typeof testMessageSchema>;
/** A message to the customer's server. */
export type WebhookEventMessage = z.infer<typeof webhookMessageSchema>;

const toolFailureSchema = z.looseObject({ error: z.string() });

/**
 * The response to `tool-calls`. A response without `toolCallId` applies to every tool call of the request; a body of
 * another shape is the result itself.
 */
export const toolCallsAnswerSchema = z.union([
  z.looseObject({
    results: z.array(
      z.union([
        z.looseObject({ toolCallId: z.string(), result: z.unknown() }),
        z.looseObject({ toolCallId: z.string(), error: z.string() }),
      ]),
    ),
  }),
  z.looseObject({ result: z.unknown() }),
  toolFailureSchema,
]);

/** Response of the server to a tool-calls message. */
export type ToolCallsAnswer = z.input<typeof toolCallsAnswerSchema>;
