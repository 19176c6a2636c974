import type { ToolServers } from '../ports/tool-servers.ts';
import type { HostTools } from './host-tools.ts';

/** Sources of tools that are not on the customer's webhook server. */
export interface ToolSources {
  readonly hostTools: HostTools;
  /** Client of MCP servers; without it, their tools are left out. */
  readonly toolServers: ToolServers | undefined;
}
