import { z } from 'zod';
import { defaultToneMs, dtmfKeysSchema, toneLimitsMs } from '../numbers/dtmf-keys.ts';
import { destinationSchema } from './outbound-call.ts';

/** Idempotency id of the command: a repetition for the same call returns the first response. */
const commandId = z.string().min(1).max(255).optional();

/** Body of `POST /calls/{id}/control`. */
export const controlCommandSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('say'),
    command_id: commandId,
    content: z.string().min(1).max(10_000),
    end_after: z.boolean().default(false),
    interruptible: z.boolean().default(true),
  }),
  z.strictObject({
    type: z.literal('inject-context'),
    command_id: commandId,
    content: z.string().min(1).max(100_000),
    trigger_response: z.boolean().default(false),
  }),
  z.strictObject({
    type: z.literal('end-call'),
    command_id: commandId,
    message: z.string().min(1).max(10_000).optional(),
  }),
  z.strictObject({
    type: z.literal('transfer'),
    command_id: commandId,
    destination: destinationSchema,
    message: z.string().min(1).max(10_000).optional(),
    mode: z.enum(['blind', 'warm']).default('blind'),
    /** Pressed once the destination has answered. */
    send_digits: dtmfKeysSchema.optional(),
  }),
  z.strictObject({ type: z.literal('mute-assistant'), command_id: commandId }),
  z.strictObject({ type: z.literal('unmute-assistant'), command_id: commandId }),
  z.strictObject({
    type: z.literal('send-dtmf'),
    command_id: commandId,
    digits: dtmfKeysSchema,
    duration_ms: z.int().min(toneLimitsMs.least).max(toneLimitsMs.most).default(defaultToneMs),
  }),
  z.strictObject({
    type: z.literal('set-variables'),
    command_id: commandId,
    variables: z.record(z.string().min(1).max(100), z.unknown()),
  }),
]);

/** A command on a live call. */
export type ControlCommand = z.output<typeof controlCommandSchema>;
/** Body of `POST /calls/{id}/control`. */
export type NewControlCommand = z.input<typeof controlCommandSchema>;

/** Response of `POST /calls/{id}/control`. */
export const controlAnswerSchema = z.object({ success: z.literal(true), message: z.string(), command_id: z.string() });
/** Response of `POST /calls/{id}/control`. */
export type ControlAnswer = z.infer<typeof controlAnswerSchema>;

/** Outcome of a command: a description of the result, or the reason of a refusal. */
export type CommandOutcome = { message: string } | { status: number; code: string; message: string };

/** A command as stored, with its response once executed. */
export interface CallCommandRecord {
  id: string;
  call_id: string;
  command_id: string;
  type: string;
  command: Record<string, unknown>;
  /** `{message}`, or `{status, code, message}` of a refusal; null until executed. */
  answer: Record<string, unknown> | null;
  /** Id of the process that has to execute the command; null once it has taken the command. */
  node_id: string | null;
  /** Span of the request that issued it, in the form of the header `traceparent`. */
  traceparent: string | null;
  created_at: string;
}
