import { z } from 'zod';

/** Longest JSON text of the arguments. */
const maxJsonLength = 16_384;

/** Body of `POST /agents/{id}/tools/try`. */
export const toolTrialSchema = z.strictObject({
  /** Name of a tool as the model knows it; that of an MCP server's tool with its prefix. */
  name: z.string().min(1).max(128),
  arguments: z
    .record(z.string().max(200), z.unknown())
    .refine((value) => JSON.stringify(value).length <= maxJsonLength, {
      error: `expected at most ${maxJsonLength} characters of JSON`,
    })
    .default({}),
});
/** Body of `POST /agents/{id}/tools/try`. */
export type NewToolTrial = z.input<typeof toolTrialSchema>;

/** Response of `POST /agents/{id}/tools/try`. */
export const toolTrialAnswerSchema = z.object({
  success: z.literal(true),
  /** True if the tool returned a result. */
  ok: z.boolean(),
  /** Result for the model; null if the tool failed. */
  result: z.unknown().nullable(),
  /** Error for the model; null if the tool returned a result. */
  error: z.string().nullable(),
  latency_ms: z.number(),
});
/** Response of `POST /agents/{id}/tools/try`. */
export type ToolTrialAnswer = z.infer<typeof toolTrialAnswerSchema>;
