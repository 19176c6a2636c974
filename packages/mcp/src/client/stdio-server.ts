import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type Logger, type ServedToolCall, type ToolOutcome, type ToolServerSession, toError } from '@va/core/adapter';
import { McpConnection } from './connection.ts';
import { ConnectionSlot } from './connection-slot.ts';
import { toolServerError } from './failure.ts';
import type { ListCache } from './list-cache.ts';
import type { StdioMcpServer } from './options.ts';

/** A program of the host, started on first use, and again after it has exited. */
export class StdioServer {
  readonly #server: StdioMcpServer;
  readonly #key: string;
  readonly #lists: ListCache;
  readonly #logger: Logger;
  readonly #connection: ConnectionSlot;

  constructor(server: StdioMcpServer, parts: { key: string; lists: ListCache; logger: Logger }) {
    this.#server = server;
    this.#key = parts.key;
    this.#lists = parts.lists;
    this.#logger = parts.logger;
    this.#connection = new ConnectionSlot(async (timeoutMs) => await McpConnection.open(this.#transport(), timeoutMs));
  }

  /** Returns a session of a phone call. All sessions share the program. */
  session(callId: string | null): ToolServerSession {
    return {
      list: async ({ timeoutMs }) => {
        if (callId === null) this.#lists.retry(this.#key);
        try {
          const fetch = async () => await (await this.#connection.get(timeoutMs)).list({ timeoutMs }, this.#logger);
          return await this.#lists.get(this.#key, fetch);
        } catch (thrown) {
          throw toolServerError(thrown);
        }
      },
      call: (request) => this.#call(request, callId),
      close: () => {},
    };
  }

  close(): void {
    this.#connection.close(this.#logger);
  }

  async #call(
    { name, arguments: args, toolCallId, timeoutMs, signal }: ServedToolCall,
    callId: string | null,
  ): Promise<ToolOutcome> {
    try {
      const connection = await this.#connection.get(timeoutMs);
      return await connection.call({ name, arguments: args, _meta: { callId, toolCallId } }, { timeoutMs, signal });
    } catch (thrown) {
      if (signal.aborted) return { ok: false, error: 'cancelled' };
      this.#logger.warn({ err: toError(thrown), tool: name, callId }, 'failed to call MCP tool');
      return { ok: false, error: toolServerError(thrown).message };
    }
  }

  #transport(): StdioClientTransport {
    const { command, args = [], env, cwd } = this.#server;
    return new StdioClientTransport({
      command,
      args: [...args],
      stderr: 'ignore',
      ...(env !== undefined && { env: { ...env } }),
      ...(cwd !== undefined && { cwd }),
    });
  }
}
