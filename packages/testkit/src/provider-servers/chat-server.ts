import type { IncomingMessage, ServerResponse } from 'node:http';
import { anthropic } from './chat/anthropic.ts';
import { generateContent } from './chat/generate-content.ts';
import type { ChatDialect, ChatDialectName, ChatError, ChatFault, ChatReply, ChatRequest } from './chat/script.ts';
import { LocalServer, objectOf } from './local-server.ts';

const dialects: Record<ChatDialectName, ChatDialect> = { anthropic, 'generate-content': generateContent };

/**
 * Streamed replies in the protocol of Anthropic's Messages API, or of `streamGenerateContent` of the Gemini API.
 * Replies are used in the order in which they were added; without one, the response is "Okay." Requests that the vendor
 * refuses are refused, such as those that do not end with a user's turn.
 *
 * @example const server = await ChatServer.start('anthropic'); createAnthropic({ baseURL: server.url, apiKey: 'test' })
 */
export class ChatServer {
  readonly requests: ChatRequest[] = [];
  readonly #dialect: ChatDialect;
  readonly #server = new LocalServer();
  readonly #replies: ChatReply[] = [];
  readonly #faults: ChatFault[] = [];

  constructor(dialect: ChatDialectName) {
    this.#dialect = dialects[dialect];
  }

  static async start(dialect: ChatDialectName): Promise<ChatServer> {
    const server = new ChatServer(dialect);
    server.#server.http.on('request', (request, response) => void server.#answer(request, response));
    await server.#server.listen();
    return server;
  }

  /** Base URL for the client. */
  get url(): string {
    return `http://${this.#server.host}${this.#dialect.basePath}`;
  }

  reply(...replies: ChatReply[]): void {
    this.#replies.push(...replies);
  }

  /** Fails the next requests, one fault each. */
  failNext(...faults: ChatFault[]): void {
    this.#faults.push(...faults);
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = objectOf(Buffer.concat(chunks).toString('utf8'));
    const recorded = { path: request.url ?? '', headers: request.headers, body, aborted: false };
    this.requests.push(recorded);
    response.on('close', () => {
      recorded.aborted = !response.writableFinished;
    });
    const fault = this.#faults.shift();
    if (fault === 'hang') return;
    if (typeof fault === 'object' && 'status' in fault) {
      return this.#sendError(response, { type: '', message: `Fault ${fault.status}`, ...fault });
    }
    const refusal = this.#dialect.refusalOf(recorded);
    if (refusal !== null) return this.#sendError(response, refusal);
    await this.#stream(response, recorded, fault);
  }

  async #stream(
    response: ServerResponse,
    request: ChatRequest,
    fault: Exclude<ChatFault, { readonly status: number }> | undefined,
  ): Promise<void> {
    const { opening, content, ending } = this.#dialect.eventsOf(this.#replies.shift() ?? { text: 'Okay.' }, request);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of opening) send(response, event);
    for (const [at, event] of content.entries()) {
      if (at === 0 && typeof fault === 'object' && fault.before === 'text') return this.#end(response, fault.streams);
      send(response, event);
      await new Promise((resolve) => setImmediate(resolve));
      if (at > 0 || fault === undefined) continue;
      if (fault === 'stall') return;
      if (fault === 'truncate') return void response.end();
      if (fault === 'break') return void response.destroy();
      if (typeof fault === 'object') return this.#end(response, fault.streams);
      response.write('data: {"type": [\n\n');
    }
    for (const event of ending) send(response, event);
    response.end();
  }

  #end(response: ServerResponse, error: ChatError): void {
    send(response, this.#dialect.errorBody(error));
    response.end();
  }

  #sendError(response: ServerResponse, error: ChatError): void {
    response.writeHead(error.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(this.#dialect.errorBody(error)));
  }
}

function send(response: ServerResponse, event: object): void {
  const name = 'type' in event ? `event: ${String(event.type)}\n` : '';
  response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
}
