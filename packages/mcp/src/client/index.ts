import { createAddressPolicy, type ToolServers } from '@va/core/adapter';
import { McpServers } from './mcp-servers.ts';
import type { McpOptions } from './options.ts';

export type { HttpMcpServer, McpOptions, StdioMcpServer } from './options.ts';

/**
 * Creates the client of MCP servers, whose tools agents can use.
 *
 * Customers' servers are reached over Streamable HTTP at addresses of the policy; redirects are not followed. The list
 * of tools is fetched while a phone call rings, and cached. Over HTTP, each phone call has its own session, whose
 * requests have the call's id in the header `X-Call-Id`. The `_meta` of a `tools/call` request has this id and that of
 * the tool call.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
 * @example createVoiceAgents({ mcp: mcp({ servers: { crm: { command: 'node', args: ['crm-server.js'] } } }), … })
 */
export function mcp(options: McpOptions = {}): ToolServers {
  const { servers = {}, addresses = createAddressPolicy(), listCacheMs = 300_000 } = options;
  return new McpServers({ servers: new Map(Object.entries(servers)), addresses, listCacheMs });
}
