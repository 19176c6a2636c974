import { z } from 'zod';

const parametersSchema = z.record(z.string(), z.unknown());

const serverSchema = z.object({ url: z.url(), secret: z.string().min(1).optional() });

const functionToolSchema = z.object({
  type: z.literal('function'),
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'letters, digits, _ and -, at most 64'),
  description: z.string().default(''),
  parameters: parametersSchema.default({ type: 'object', properties: {} }),
  server: serverSchema.optional(),
  async: z.boolean().default(false),
  message: z.string().optional(),
});

/** Both written forms are accepted: flat, and nested under `function` with a `server`. */
const writtenFunctionToolSchema = z.preprocess((written) => {
  if (typeof written !== 'object' || written === null) return written;
  const { function: nested, url, ...rest } = written as Record<string, unknown>;
  const flat = typeof nested === 'object' && nested !== null ? { ...rest, ...nested } : rest;
  return url === undefined || 'server' in flat ? flat : { ...flat, server: { url } };
}, functionToolSchema);

const endCallToolSchema = z.object({
  type: z.literal('endCall'),
  name: z.string().optional(),
  description: z.string().optional(),
  message: z.string().optional(),
});

const transferDestinationSchema = z.object({
  type: z.enum(['number', 'sip']),
  number: z.string().min(1),
  description: z.string().optional(),
  /** Said before the caller is handed over. */
  message: z.string().optional(),
  /** `blind` (the default) hands over at once; `warm` asks first, and tells what the call is about. */
  mode: z.enum(['blind', 'warm']).optional(),
});

const transferCallToolSchema = z.object({
  type: z.literal('transferCall'),
  name: z.string().optional(),
  description: z.string().optional(),
  destinations: z.array(transferDestinationSchema).min(1),
  message: z.string().optional(),
});

/** An entry of `llm_config.tools`. */
export const toolSchema = z.union([endCallToolSchema, transferCallToolSchema, writtenFunctionToolSchema]);

export type FunctionTool = z.infer<typeof functionToolSchema>;
export type EndCallTool = z.infer<typeof endCallToolSchema>;
export type TransferCallTool = z.infer<typeof transferCallToolSchema>;
export type Tool = FunctionTool | EndCallTool | TransferCallTool;
