import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolResultSchema, ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { type Logger, type ServedTool, type ToolOutcome, toError } from '@va/core/adapter';
import manifest from '../../package.json' with { type: 'json' };
import { outcomeOf } from './tool-result.ts';

/** What a server may list. */
const limits = { tools: 512, pages: 32, descriptionLength: 4_000, schemaLength: 65_536 };
const connectTimeoutMs = 8_000;

export interface RequestLimits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** A connected session with an MCP server. */
export class Connection {
  readonly #client: Client;
  readonly #transport: Transport;
  #isClosed = false;

  /** @throws what the transport and the protocol throw */
  static async open(transport: Transport, timeoutMs: number): Promise<Connection> {
    const client = new Client({ name: 'voice-agents', version: manifest.version });
    try {
      await client.connect(transport, { timeout: Math.min(timeoutMs, connectTimeoutMs) });
    } catch (thrown) {
      await client.close().catch(() => {});
      throw thrown;
    }
    return new Connection(client, transport);
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

  /** Lists the tools, page by page. Those with an unusable schema are left out. */
  async list({ timeoutMs }: RequestLimits, logger: Logger): Promise<readonly ServedTool[]> {
    const tools: ServedTool[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < limits.pages && tools.length < limits.tools; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      // The client's own method would compile the server's schemas, which costs what the server likes.
      const request = { method: 'tools/list' as const, params };
      const listed = await this.#client.request(request, ListToolsResultSchema, { timeout: timeoutMs });
      for (const { name, description = '', inputSchema } of listed.tools) {
        if (JSON.stringify(inputSchema).length > limits.schemaLength || name.length > 200) {
          logger.warn(
            { tool: name.slice(0, 200) },
            'a tool of an MCP server is left out: it is described at too great length',
          );
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

  /** Calls a tool. Its own failures are outcomes; those of connection and protocol are thrown. */
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

  /** Tells the server that the session is over, as far as it listens. */
  close(logger: Logger): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    void this.#end().catch((thrown: unknown) => {
      logger.debug({ err: toError(thrown) }, 'failed to end the session with an MCP server');
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
