import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolResultSchema, ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { type Logger, type ServedTool, type ToolOutcome, toError } from '@va/core/adapter';
import manifest from '../../package.json' with { type: 'json' };
import { outcomeOf } from './tool-result.ts';

/** Limits of a server's list of tools; lengths are in characters. */
const limits = { tools: 512, pages: 32, nameLength: 200, descriptionLength: 4_000, schemaLength: 65_536 };
/** Time limit of the handshake, within that of the request that needs the connection. */
const connectTimeoutMs = 8_000;

/** Limits of one request to a server. */
export interface RequestLimits {
  readonly timeoutMs: number;
  /** Cancels the request at the server. */
  readonly signal?: AbortSignal;
}

/** A connected session with an MCP server. */
export class McpConnection {
  readonly #client: Client;
  readonly #transport: Transport;
  #isClosed = false;

  /** Connects and initializes a session. @throws the errors of the transport and the protocol */
  static async open(transport: Transport, timeoutMs: number): Promise<McpConnection> {
    const client = new Client({ name: 'voice-agents', version: manifest.version });
    try {
      await client.connect(transport, { timeout: Math.min(timeoutMs, connectTimeoutMs) });
    } catch (thrown) {
      await client.close().catch(() => {});
      throw thrown;
    }
    return new McpConnection(client, transport);
  }

  private constructor(client: Client, transport: Transport) {
    this.#client = client;
    this.#transport = transport;
    client.onclose = () => {
      this.#isClosed = true;
    };
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Lists the tools, page by page, without those whose name or schema is too long. Long descriptions are cut. */
  async list({ timeoutMs }: RequestLimits, logger: Logger): Promise<readonly ServedTool[]> {
    const tools: ServedTool[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < limits.pages && tools.length < limits.tools; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      // `Client.listTools` would compile the server's output schemas, whose cost the server determines.
      const request = { method: 'tools/list' as const, params };
      const listed = await this.#client.request(request, ListToolsResultSchema, { timeout: timeoutMs });
      for (const { name, description = '', inputSchema } of listed.tools) {
        if (JSON.stringify(inputSchema).length > limits.schemaLength || name.length > limits.nameLength) {
          logger.warn({ tool: name.slice(0, limits.nameLength) }, 'dropped an MCP tool with too long a name or schema');
          continue;
        }
        const { $schema: _dialect, ...parameters } = inputSchema;
        tools.push({ name, description: description.slice(0, limits.descriptionLength), parameters });
      }
      cursor = listed.nextCursor;
      if (cursor === undefined) break;
    }
    return tools.slice(0, limits.tools);
  }

  /** Calls a tool. Returns a failure of the tool as outcome; throws errors of the connection and the protocol. */
  async call(
    params: {
      readonly name: string;
      readonly arguments: Record<string, unknown>;
      readonly _meta: Record<string, unknown>;
    },
    { timeoutMs, signal }: RequestLimits,
  ): Promise<ToolOutcome> {
    const request = { method: 'tools/call' as const, params };
    const options = { timeout: timeoutMs, ...(signal !== undefined && { signal }) };
    return outcomeOf(await this.#client.request(request, CallToolResultSchema, options));
  }

  /** Ends the session, at the server too if it responds. */
  close(logger: Logger): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    void this.#end().catch((thrown: unknown) => {
      logger.debug({ err: toError(thrown) }, 'failed to end MCP session');
    });
  }

  async #end(): Promise<void> {
    try {
      if (this.#transport instanceof StreamableHTTPClientTransport) await this.#transport.terminateSession();
    } finally {
      await this.#client.close();
    }
  }
}
