import type { AddressPolicy } from '@va/core/adapter';

/** A server of the host that speaks MCP over HTTP. Its address need not be public. */
export interface HttpMcpServer {
  /** Streamable HTTP endpoint. */
  readonly url: string;
  /** Headers of each request, such as `Authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Organizations whose agents may use it; all by default. */
  readonly allow?: (organization: { readonly id: string }) => boolean;
}

/** A program of the host that speaks MCP on its standard input and output. One process serves all calls. */
export interface StdioMcpServer {
  /** Path of the executable, or its name in the PATH. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Environment of the program; by default a few safe variables of this process, such as PATH. */
  readonly env?: Readonly<Record<string, string>>;
  /** Working directory of the program; by default that of this process. */
  readonly cwd?: string;
  /** Organizations whose agents may use it; all by default. */
  readonly allow?: (organization: { readonly id: string }) => boolean;
}

/** Options of `mcp`. */
export interface McpOptions {
  /** Servers of the host, which agents name in place of a URL: `{ "type": "mcp", "server": { "name": "crm" } }`. */
  readonly servers?: Readonly<Record<string, HttpMcpServer | StdioMcpServer>>;
  /** Policy for the addresses of customers' servers; by default public addresses only. */
  readonly addresses?: AddressPolicy;
  /** Time for which a server's list of tools is cached, in milliseconds; 300,000 by default. */
  readonly listCacheMs?: number;
}
