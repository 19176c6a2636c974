import type { AddressPolicy } from '@va/core/adapter';

/** A server of the host that speaks MCP over HTTP. Its address needs not be public. */
export interface HttpMcpServer {
  /** Streamable HTTP endpoint. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Organizations whose agents may use it; all by default. */
  readonly allow?: (organization: { readonly id: string }) => boolean;
}

/** A program of the host that speaks MCP on its standard input and output. One process serves all calls. */
export interface StdioMcpServer {
  readonly command: string;
  readonly args?: readonly string[];
  /** Environment of the program; by default a few safe variables of this process, such as PATH. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Organizations whose agents may use it; all by default. */
  readonly allow?: (organization: { readonly id: string }) => boolean;
}

export interface McpOptions {
  /** Servers of the host, which agents name in place of a URL: `{ "type": "mcp", "server": { "name": "crm" } }`. */
  readonly servers?: Readonly<Record<string, HttpMcpServer | StdioMcpServer>>;
  /** Addresses that the URLs of customers may have; by default those of the public internet. */
  readonly addresses?: AddressPolicy;
  /** Time for which a server's list of tools is used, in milliseconds; 300,000 by default. */
  readonly listCacheMs?: number;
}
