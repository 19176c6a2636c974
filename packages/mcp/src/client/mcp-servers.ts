import { createHash } from 'node:crypto';
import {
  type AddressPolicy,
  type Clock,
  type Logger,
  ToolServerError,
  type ToolServerSession,
  type ToolServerSessionOptions,
  type ToolServers,
  VaError,
} from '@va/core/adapter';
import { GuardedFetch } from './guarded-fetch.ts';
import { ListCache } from './list-cache.ts';
import { McpSession } from './mcp-session.ts';
import type { HttpMcpServer, StdioMcpServer } from './options.ts';
import { StdioServer } from './stdio-server.ts';

export interface McpServersOptions {
  readonly servers: ReadonlyMap<string, HttpMcpServer | StdioMcpServer>;
  readonly addresses: AddressPolicy;
  readonly listCacheMs: number;
}

interface Started {
  readonly lists: ListCache;
  readonly fetch: GuardedFetch;
  readonly logger: Logger;
}

/** The MCP servers of customers and of the host. */
export class McpServers implements ToolServers {
  readonly #options: McpServersOptions;
  readonly #programs = new Map<string, StdioServer>();
  readonly #sessions = new Set<ToolServerSession>();
  #started: Started | null = null;

  constructor(options: McpServersOptions) {
    this.#options = options;
  }

  start({ clock, logger }: { readonly clock: Clock; readonly logger: Logger }): void {
    const { addresses, listCacheMs } = this.#options;
    this.#started = { logger, lists: new ListCache(clock, listCacheMs), fetch: new GuardedFetch({ clock, addresses }) };
  }

  open({ server, orgId, callId, logger }: ToolServerSessionOptions): ToolServerSession {
    const started = this.#started;
    if (started === null) throw new VaError('invalid_state', 'The client of MCP servers has not been started.');
    if ('name' in server) {
      const named = this.#options.servers.get(server.name);
      if (named === undefined || named.allow?.({ id: orgId }) === false) return unknownServer(server.name);
      if ('command' in named) return this.#program(server.name, named, started).session(callId);
      return this.#http(named, { orgId, callId, logger, isOfHost: true }, started);
    }
    return this.#http(server, { orgId, callId, logger, isOfHost: false }, started);
  }

  async close(): Promise<void> {
    for (const session of [...this.#sessions]) session.close();
    for (const program of this.#programs.values()) program.close();
    await this.#started?.fetch.close();
  }

  #http(
    { url, headers = {} }: { readonly url: string; readonly headers?: Readonly<Record<string, string>> | undefined },
    about: Pick<ToolServerSessionOptions, 'orgId' | 'callId' | 'logger'> & { readonly isOfHost: boolean },
    { lists, fetch, logger }: Started,
  ): ToolServerSession {
    const owner = about.isOfHost ? null : about.orgId;
    const session = new McpSession({
      url,
      headers,
      callId: about.callId,
      fetch: fetch.for(about.orgId, about.isOfHost),
      lists,
      // Contains the organization, so that none gets the list of another one's server.
      key: createHash('sha256')
        .update(JSON.stringify([owner, url, headers]))
        .digest('base64'),
      logger: about.logger ?? logger,
      onClose: () => this.#sessions.delete(session),
    });
    this.#sessions.add(session);
    return session;
  }

  #program(name: string, server: StdioMcpServer, { lists, logger }: Started): StdioServer {
    const known = this.#programs.get(name);
    if (known !== undefined) return known;
    const program = new StdioServer(server, { key: `program ${name}`, lists, logger });
    this.#programs.set(name, program);
    return program;
  }
}

/** Returns a session that fails alike for a server that does not exist and for one that is not allowed. */
function unknownServer(name: string): ToolServerSession {
  const message = `This service has no MCP server ${name}.`;
  return {
    list: async () => {
      throw new ToolServerError('unknown', message);
    },
    call: async () => ({ ok: false, error: message }),
    close: () => {},
  };
}
