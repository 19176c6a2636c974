import { z } from 'zod';
import { httpHeadersSchema } from '../../records/http-headers.ts';
import { httpUrlSchema } from '../../records/http-url.ts';

/** Maximum number of MCP servers of one agent. */
export const maxMcpServers = 10;

const serverSchema = z.union([
  z.strictObject({
    /** Streamable HTTP endpoint of a customer's server. */
    url: httpUrlSchema,
    /** Write-only: kept when the entry is written again without them for the same URL. */
    headers: httpHeadersSchema.optional(),
  }),
  z.strictObject({
    /** One of the servers that the host has named. */
    name: z.string().min(1).max(100),
  }),
]);

/** The tools of an MCP server (Model Context Protocol), listed at the beginning of each phone call. */
export const mcpToolSchema = z.strictObject({
  type: z.literal('mcp'),
  server: serverSchema,
  /** Names of the server's tools that the agent gets; all by default. */
  allow: z.array(z.string().min(1).max(200)).min(1).max(128).optional(),
  /** Prefix of the names of the server's tools, so that names of several servers do not collide. */
  prefix: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,32}$/, 'expected at most 32 letters, digits, underscores and hyphens')
    .optional(),
  /** Spoken while one of the tools runs. */
  message: z.string().max(10_000).optional(),
  /** Time in which a tool has to return its result; 10,000 by default. */
  timeout_ms: z.int().min(100).max(30_000).optional(),
});

export type McpTool = z.infer<typeof mcpToolSchema>;
