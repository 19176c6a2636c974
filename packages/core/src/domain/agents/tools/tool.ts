import { z } from 'zod';
import { dtmfKeysSchema, toneLimitsMs } from '../../numbers/dtmf-keys.ts';
import { sipUriPattern } from '../../numbers/sip-uri.ts';
import { httpUrlSchema } from '../../records/http-url.ts';
import { type McpTool, maxMcpServers, mcpToolSchema } from './mcp-tool.ts';

const toolNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'expected at most 64 letters, digits, underscores and hyphens');

const serverSchema = z.strictObject({ url: httpUrlSchema, secret: z.string().min(1).max(500).optional() });

/** Default names of the built-in tools. */
export const builtInToolNames: readonly string[] = ['endCall', 'transferCall', 'pressKeys'];

const descriptionSchema = z.string().max(10_000);
/** A JSON Schema of type object. */
const parametersSchema = z.record(z.string(), z.unknown());

const functionFields = {
  name: toolNameSchema.refine((name) => !builtInToolNames.includes(name), {
    error: `${builtInToolNames.join(', ')} are names of built-in tools`,
  }),
  description: descriptionSchema.default(''),
  parameters: parametersSchema.default({ type: 'object', properties: {} }),
};

const deliveryFields = {
  /** Short form of `server.url`. */
  url: httpUrlSchema.optional(),
  server: serverSchema.optional(),
  /** `client`: runs in the web page of the caller, in web calls only. By default it runs on a server. */
  runs: z.literal('client').optional(),
  async: z.boolean().default(false),
  /** Spoken while the tool runs. */
  message: z.string().max(10_000).optional(),
};

const oneServer = { path: ['url'], error: 'write either url or server' };

function hasOneServer({ url, server }: { url?: string | undefined; server?: object | undefined }): boolean {
  return url === undefined || server === undefined;
}

/** A function tool as stored and shown. */
const functionToolSchema = z.strictObject({
  type: z.literal('function'),
  name: toolNameSchema,
  description: descriptionSchema,
  parameters: parametersSchema,
  server: serverSchema.optional(),
  runs: z.literal('client').optional(),
  async: z.boolean(),
  message: z.string().optional(),
});

const flatFunctionToolSchema = z
  .strictObject({ type: z.literal('function'), ...functionFields, ...deliveryFields })
  .refine(hasOneServer, oneServer)
  .transform(({ url, ...tool }) => (url === undefined ? tool : { ...tool, server: { url } }))
  .pipe(functionToolSchema);

const nestedFunctionToolSchema = z
  .strictObject({ type: z.literal('function'), function: z.strictObject(functionFields), ...deliveryFields })
  .refine(hasOneServer, oneServer)
  .transform(({ url, function: nested, ...tool }) => ({
    ...tool,
    ...nested,
    ...(url === undefined ? {} : { server: { url } }),
  }))
  .pipe(functionToolSchema);

const endCallToolSchema = z.strictObject({
  type: z.literal('endCall'),
  name: toolNameSchema.optional(),
  description: descriptionSchema.optional(),
  /** Spoken before the hang-up if the model says nothing itself. */
  message: z.string().max(10_000).optional(),
});

/** Not validated against a numbering plan: it may belong to a private exchange behind the trunk. */
const internationalNumber = /^\+[1-9]\d{4,14}$/;

const transferDestinationSchema = z
  .strictObject({
    type: z.enum(['number', 'sip']),
    number: z.string().max(255),
    description: z.string().max(1_000).optional(),
    /** Spoken before the transfer. */
    message: z.string().max(10_000).optional(),
    /** Pressed once the destination has answered, such as `ww204` for an extension. Needs a transfer trunk. */
    send_digits: dtmfKeysSchema.optional(),
    /** `blind` (default) transfers at once; `warm` briefs the destination and asks it first. */
    mode: z.enum(['blind', 'warm']).optional(),
  })
  .superRefine(({ type, number }, context) => {
    if ((type === 'sip' ? sipUriPattern : internationalNumber).test(number)) return;
    const expected =
      type === 'sip' ? 'a SIP address, such as sip:reception@example.com' : 'a number such as +31201234567';
    context.addIssue({ code: 'custom', path: ['number'], message: `expected ${expected}` });
  });

const transferCallToolSchema = z.strictObject({
  type: z.literal('transferCall'),
  name: toolNameSchema.optional(),
  description: descriptionSchema.optional(),
  destinations: z.array(transferDestinationSchema).min(1).max(100),
  message: z.string().max(10_000).optional(),
});

/** Lets the model press keys (DTMF), to navigate the menu of an IVR. */
const pressKeysToolSchema = z.strictObject({
  type: z.literal('pressKeys'),
  name: toolNameSchema.optional(),
  description: descriptionSchema.optional(),
  /** Length of each tone; 100 by default. */
  duration_ms: z.int().min(toneLimitsMs.least).max(toneLimitsMs.most).optional(),
});

/** A tool of the host, which runs in its process. The host describes it and decides which organizations may use it. */
const hostToolSchema = z.strictObject({
  type: z.literal('host'),
  name: toolNameSchema,
  /** Replaces the host's description for this agent. */
  description: descriptionSchema.optional(),
  /** Spoken while the tool runs, in place of the host's message. */
  message: z.string().max(10_000).optional(),
});

/**
 * An entry of `llm_config.tools`. A function is written flat, or nested under `function` as in the API of language
 * models.
 */
export const toolSchema = z.union([
  endCallToolSchema,
  transferCallToolSchema,
  pressKeysToolSchema,
  hostToolSchema,
  mcpToolSchema,
  flatFunctionToolSchema,
  nestedFunctionToolSchema,
]);

/** Returns the name under which the model calls the tool. */
export function toolName(tool: { readonly type: string; readonly name?: string | undefined }): string {
  return tool.name ?? tool.type;
}

/** Maximum number of tools of one agent. */
export const maxTools = 128;

/** All tools of an agent. Names are unique, because the model calls a tool by its name. */
export const toolsSchema = z
  .array(toolSchema)
  .max(maxTools)
  .superRefine((tools, context) => {
    const names = new Set<string>();
    let servers = 0;
    for (const [at, tool] of tools.entries()) {
      if (tool.type === 'mcp') {
        servers += 1;
        if (servers > maxMcpServers) {
          context.addIssue({ code: 'custom', path: [at], message: `at most ${maxMcpServers} MCP servers` });
        }
        continue;
      }
      const name = toolName(tool);
      if (names.has(name)) {
        context.addIssue({ code: 'custom', path: [at, 'name'], message: `duplicate tool name ${name}` });
      }
      names.add(name);
    }
  });

/** A tool that the customer's server runs, or the web page of the caller. */
export type FunctionTool = z.infer<typeof functionToolSchema>;
/** The tool with which the model ends the call. */
export type EndCallTool = z.infer<typeof endCallToolSchema>;
/** The tool with which the model transfers the call. */
export type TransferCallTool = z.infer<typeof transferCallToolSchema>;
/** The tool with which the model presses keys (DTMF). */
export type PressKeysTool = z.infer<typeof pressKeysToolSchema>;
/** A tool of the host, by its name. */
export type HostToolReference = z.infer<typeof hostToolSchema>;
export type { McpTool };
/** A tool of an agent. */
export type Tool = FunctionTool | EndCallTool | TransferCallTool | PressKeysTool | HostToolReference | McpTool;
