import { z } from 'zod';
import { destinationSchema } from './outbound-call.ts';

/** A command's own id; the same id again, for the same call, returns the first answer. */
const commandId = z.string().min(1).max(255).optional();

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
  }),
  z.strictObject({ type: z.literal('mute-assistant'), command_id: commandId }),
  z.strictObject({ type: z.literal('unmute-assistant'), command_id: commandId }),
  z.strictObject({
    type: z.literal('send-dtmf'),
    command_id: commandId,
    digits: z.string().regex(/^[0-9A-D*#wW]{1,100}$/, 'expected digits 0-9, A-D, *, #, and w or W for a pause'),
    duration_ms: z.int().min(40).max(5_000).default(100),
  }),
  z.strictObject({
    type: z.literal('set-variables'),
    command_id: commandId,
    variables: z.record(z.string().min(1).max(100), z.unknown()),
  }),
]);

/** What can be asked of a call that is going on. */
export type ControlCommand = z.output<typeof controlCommandSchema>;
export type NewControlCommand = z.input<typeof controlCommandSchema>;

export const controlAnswerSchema = z.object({ success: z.literal(true), message: z.string(), command_id: z.string() });
export type ControlAnswer = z.infer<typeof controlAnswerSchema>;

/** What became of a command: what was done, or why it was refused. */
export type CommandOutcome = { message: string } | { status: number; code: string; message: string };

/** A command as it is stored, with its answer once it is carried out. */
export interface CallCommandRecord {
  id: string;
  call_id: string;
  command_id: string;
  type: string;
  command: Record<string, unknown>;
  /** `{message}` or `{status, code, message}` of the refusal; null while it is being carried out. */
  answer: Record<string, unknown> | null;
  /** The process that is to carry it out, while it has not taken it. */
  node_id: string | null;
  /** The span of the request that gave it, as the header `traceparent` has it. */
  traceparent: string | null;
  created_at: string;
}
