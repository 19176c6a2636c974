import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

type Transport = StreamableHTTPServerTransport;

/** A server of the official SDK with tools of a restaurant, over Streamable HTTP. */
export class RestaurantServer {
  /** Every HTTP request: method, headers, body. */
  readonly requests: {
    readonly method: string;
    readonly headers: IncomingMessage['headers'];
    readonly body: string;
  }[] = [];
  readonly #transports = new Map<string, Transport>();
  readonly #server: Server;
  /** Responds to a request in place of MCP; returns false to pass it on. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  /** Resolves the pending tool calls of `wait`. */
  readonly waiting: (() => void)[] = [];
  aborted = 0;
  url = '';

  static async start(): Promise<RestaurantServer> {
    const server = new RestaurantServer();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    server.url = `http://127.0.0.1:${(server.#server.address() as AddressInfo).port}/mcp`;
    return server;
  }

  private constructor() {
    this.#server = createServer((request, response) => void this.#handle(request, response));
  }

  get sessions(): number {
    return this.#transports.size;
  }

  /** Discards all sessions, as a server that was restarted. */
  forget(): void {
    this.#transports.clear();
  }

  /** Stops, and closes all connections. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** JSON-RPC methods of the requests, in order. */
  get methods(): string[] {
    return this.requests.flatMap(({ body }) => (body === '' ? [] : [JSON.parse(body).method as string]));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    this.requests.push({ method: request.method ?? '', headers: request.headers, body });
    if (this.intercept(request, response)) return;
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? this.#transports.get(id) : undefined;
    if (typeof id === 'string' && known === undefined) {
      response.writeHead(404).end('{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}');
      return;
    }
    const transport = known ?? (await this.#newSession());
    await transport.handleRequest(request, response, body === '' ? undefined : JSON.parse(body));
  }

  async #newSession(): Promise<Transport> {
    const transport: Transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => {
        this.#transports.set(id, transport);
      },
      onsessionclosed: (id) => {
        this.#transports.delete(id);
      },
    });
    await this.#mcp().connect(transport as Parameters<McpServer['connect']>[0]);
    return transport;
  }

  #mcp(): McpServer {
    const server = new McpServer({ name: 'restaurant', version: '1.0.0' });
    server.registerTool(
      'find_table',
      {
        description: 'Finds a free table.',
        inputSchema: { people: z.number().int() },
        outputSchema: { table: z.number() },
      },
      async ({ people }) => ({
        content: [{ type: 'text', text: 'Table 7' }],
        structuredContent: { table: people + 5 },
      }),
    );
    server.registerTool('menu.today', { description: 'Tells the menu.' }, async () => ({
      content: [
        { type: 'text', text: 'Soup.' },
        { type: 'text', text: 'Fish.' },
      ],
    }));
    server.registerTool('photo', {}, async () => ({
      content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }],
    }));
    server.registerTool('full', {}, async () => ({ isError: true, content: [{ type: 'text', text: 'We are full.' }] }));
    server.registerTool('breaks', {}, async () => {
      throw new Error('no kitchen');
    });
    server.registerTool('long', {}, async () => ({ content: [{ type: 'text', text: 'x'.repeat(100_000) }] }));
    server.registerTool('huge', {}, async () => ({ content: [{ type: 'text', text: 'x'.repeat(2_000_000) }] }));
    server.registerTool('wait', {}, async ({ signal }) => {
      signal.addEventListener('abort', () => {
        this.aborted += 1;
      });
      await new Promise<void>((resolve) => this.waiting.push(resolve));
      return { content: [{ type: 'text', text: 'done' }] };
    });
    return server;
  }
}
