import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { FetchLike, Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type Logger,
  type ServedTool,
  type ServedToolCall,
  type ToolOutcome,
  ToolServerError,
  type ToolServerSession,
  toError,
} from '@va/core/adapter';
import { McpConnection, type RequestLimits } from './connection.ts';
import { ConnectionSlot } from './connection-slot.ts';
import { isUnknownSession, toolServerError } from './failure.ts';
import type { ListCache } from './list-cache.ts';

export interface McpSessionOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly callId: string | null;
  readonly fetch: FetchLike;
  readonly lists: ListCache;
  /** Cache key of this server with these headers. */
  readonly key: string;
  readonly logger: Logger;
  readonly onClose: () => void;
}

/** Disables reconnection: the next request of the session connects again. */
const noReconnection = {
  maxRetries: 0,
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 1_000,
  reconnectionDelayGrowFactor: 1,
};

/** Session of one phone call with a server over Streamable HTTP. */
export class McpSession implements ToolServerSession {
  readonly #options: McpSessionOptions;
  readonly #connection: ConnectionSlot;
  #isClosed = false;

  constructor(options: McpSessionOptions) {
    this.#options = options;
    this.#connection = new ConnectionSlot(async (timeoutMs) => await McpConnection.open(this.#transport(), timeoutMs));
  }

  async list({ timeoutMs }: { readonly timeoutMs: number }): Promise<readonly ServedTool[]> {
    const { lists, key, logger, callId } = this.#options;
    if (callId === null) lists.retry(key);
    try {
      return await lists.get(key, async () => await (await this.#connected(timeoutMs)).list({ timeoutMs }, logger));
    } catch (thrown) {
      throw toolServerError(thrown);
    }
  }

  async call({ name, arguments: args, toolCallId, timeoutMs, signal }: ServedToolCall): Promise<ToolOutcome> {
    const { callId, logger } = this.#options;
    const params = { name, arguments: args, _meta: { callId, toolCallId } };
    try {
      return await this.#withSession(timeoutMs, (connection, limits) => connection.call(params, limits), signal);
    } catch (thrown) {
      if (signal.aborted) return { ok: false, error: 'cancelled' };
      const error = toolServerError(thrown);
      logger.warn({ err: toError(thrown), tool: name }, 'failed to call MCP tool');
      const isLate = error.code === 'tool_server_timeout';
      return { ok: false, error: isLate ? `timeout: no answer within ${timeoutMs / 1_000} seconds` : error.message };
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#connection.close(this.#options.logger);
    this.#options.onClose();
  }

  /** Sends a request. Repeats it only if the server no longer knows the session; else it may have taken effect. */
  async #withSession(
    timeoutMs: number,
    request: (connection: McpConnection, limits: RequestLimits) => Promise<ToolOutcome>,
    signal: AbortSignal,
  ): Promise<ToolOutcome> {
    const connection = await this.#connected(timeoutMs);
    try {
      return await request(connection, { timeoutMs, signal });
    } catch (thrown) {
      if (!isUnknownSession(thrown) || this.#isClosed) throw thrown;
      this.#connection.discard(connection);
      return await request(await this.#connected(timeoutMs), { timeoutMs, signal });
    }
  }

  async #connected(timeoutMs: number): Promise<McpConnection> {
    if (this.#isClosed) throw new ToolServerError('unreachable', 'The session with the MCP server is closed.');
    return await this.#connection.get(timeoutMs);
  }

  #transport(): Transport {
    const { url, headers, callId, fetch } = this.#options;
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      fetch,
      requestInit: { headers: { ...headers, ...(callId !== null && { 'X-Call-Id': callId }) } },
      reconnectionOptions: noReconnection,
    });
    // The class declares `sessionId` as possibly undefined, which `exactOptionalPropertyTypes` forbids here.
    return transport as Transport;
  }
}
