import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { LocalServer, objectOf } from './local-server.ts';
import { type OpenAiRefusal, refusalOf } from './openai-refusals.ts';

/** Tool call in a reply of the model. */
export interface OpenAiToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
}

/** Reply of the model: text word by word, then tool calls whose arguments are streamed in chunks. */
export interface OpenAiReply {
  readonly text?: string;
  readonly toolCalls?: readonly OpenAiToolCall[];
}

/** Behaviour in which OpenAI and compatible gateways have been seen to differ. */
export interface OpenAiBehaviour {
  /**
   * `sequential` (default): one tool call after the other. `interleaved`: chunks of all calls in turn, as gateways send
   * them.
   */
  readonly toolCalls: 'sequential' | 'interleaved';
}

/** Fault of the next request to the OpenAI server. */
export type OpenAiFault =
  /**
   * An error response, `code` being OpenAI's own such as `insufficient_quota`; it may repeat the key, as gateways do.
   */
  | { readonly status: number; readonly code?: string; readonly repeatsKey?: boolean }
  /**
   * `hang` never responds. After the first chunk, `stall` sends nothing more, `break` closes the connection, and
   * `truncate` ends the response.
   */
  | 'hang'
  | 'stall'
  | 'break'
  | 'truncate'
  /** Sends a chunk that is not JSON. */
  | 'garbage';

/** One chat completion request as the server received it. */
export interface OpenAiRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
  /** Client port, which identifies its connection. */
  readonly port: number | undefined;
  /** True if the client disconnected before the response was complete. */
  aborted: boolean;
}

/**
 * Chat completions of OpenAI and compatible services, streamed as server-sent events. Replies are used in the order in
 * which they were added; without one, the response is "Okay."
 *
 * @example const server = await OpenAiServer.start(); openai({ baseURL: server.url, apiKey: 'test' })
 */
export class OpenAiServer {
  readonly requests: OpenAiRequest[] = [];
  /** Client ports of OPTIONS requests, by which clients open a connection before the first request. */
  readonly connected: (number | undefined)[] = [];
  readonly #behaviour: OpenAiBehaviour;
  readonly #server = new LocalServer();
  readonly #replies: OpenAiReply[] = [];
  readonly #faults: OpenAiFault[] = [];

  constructor(behaviour: Partial<OpenAiBehaviour> = {}) {
    this.#behaviour = { toolCalls: 'sequential', ...behaviour };
  }

  static async start(behaviour: Partial<OpenAiBehaviour> = {}): Promise<OpenAiServer> {
    const server = new OpenAiServer(behaviour);
    server.#server.http.on('request', (request, response) => void server.#answer(request, response));
    await server.#server.listen();
    return server;
  }

  /** Base URL for the client. */
  get url(): string {
    return `http://${this.#server.host}/v1`;
  }

  reply(...replies: OpenAiReply[]): void {
    this.#replies.push(...replies);
  }

  /** Fails the next requests, one fault each. */
  failNext(...faults: OpenAiFault[]): void {
    this.#faults.push(...faults);
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const port = request.socket.remotePort;
    if (request.method === 'OPTIONS') {
      this.connected.push(port);
      response.writeHead(404).end();
      return;
    }
    if (request.method === 'GET' && request.url === '/v1/models') return sendModels(response);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = objectOf(Buffer.concat(chunks).toString('utf8'));
    const recorded = { path: request.url ?? '', headers: request.headers, body, port, aborted: false };
    this.requests.push(recorded);
    response.on('close', () => {
      recorded.aborted = !response.writableFinished;
    });
    const fault = this.#faults.shift();
    if (fault === 'hang') return;
    if (typeof fault === 'object') {
      const said = fault.repeatsKey === true ? ` for ${request.headers.authorization}` : '';
      return sendError(response, fault.status, fault.code ?? null, said);
    }
    if (recorded.path !== '/v1/chat/completions') return sendError(response, 404, null);
    const refusal = refusalOf(body);
    if (refusal !== null) return sendRefusal(response, refusal);
    const reply = this.#replies.shift() ?? { text: 'Okay.' };
    if (body.stream !== true) return sendCompletion(response, String(body.model), reply);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const pieces = piecesOf(reply, this.#behaviour);
    for (const [at, piece] of pieces.entries()) {
      response.write(`data: ${JSON.stringify(chunkOf(String(body.model), piece))}\n\n`);
      await new Promise((resolve) => setImmediate(resolve));
      if (at > 0 || fault === undefined) continue;
      if (fault === 'stall') return;
      if (fault === 'truncate') return void response.end();
      if (fault === 'break') return void response.destroy();
      response.write('data: {"choices": [\n\n');
    }
    if (objectIn(body.stream_options).include_usage === true) {
      const chunk = { ...chunkOf(String(body.model), { delta: {} }), choices: [], usage: usageOf(reply) };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    }
    response.end('data: [DONE]\n\n');
  }
}

interface StreamChunk {
  readonly delta: Record<string, unknown>;
  readonly finish?: 'stop' | 'tool_calls';
}

function piecesOf({ text = '', toolCalls = [] }: OpenAiReply, behaviour: OpenAiBehaviour): StreamChunk[] {
  const words = [...text.matchAll(/\S+\s*/g)].map(([content]): StreamChunk => ({ delta: { content } }));
  const calls = toolCalls.map(({ id, name, arguments: args }, index) => {
    const middle = Math.ceil(args.length / 2);
    return [
      toolPiece({ index, id, type: 'function', function: { name, arguments: '' } }),
      toolPiece({ index, function: { arguments: args.slice(0, middle) } }),
      toolPiece({ index, function: { arguments: args.slice(middle) } }),
    ];
  });
  const isInterleaved = behaviour.toolCalls === 'interleaved';
  const pieces = isInterleaved ? [0, 1, 2].flatMap((step) => calls.flatMap((call) => call[step] ?? [])) : calls.flat();
  const finish = toolCalls.length > 0 ? ('tool_calls' as const) : ('stop' as const);
  return [{ delta: { role: 'assistant', content: '' } }, ...words, ...pieces, { delta: {}, finish }];
}

function usageOf({ text = '' }: OpenAiReply): Record<string, number> {
  const completion = text.split(' ').length;
  return { prompt_tokens: 10, completion_tokens: completion, total_tokens: 10 + completion };
}

function objectIn(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function sendModels(response: ServerResponse): void {
  const data = ['gpt-4.1-mini', 'gpt-5'].map((id) => ({ id, object: 'model', created: 1_700_000_000, owned_by: 'va' }));
  sendJson(response, 200, { object: 'list', data });
}

/** Sends the response to a request without streaming. */
function sendCompletion(response: ServerResponse, model: string, reply: OpenAiReply): void {
  const { text = '', toolCalls = [] } = reply;
  const calls = toolCalls.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  }));
  const message = {
    role: 'assistant',
    content: text === '' ? null : text,
    refusal: null,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  const choice = { index: 0, message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop', logprobs: null };
  const completion = { id: 'chatcmpl-1', object: 'chat.completion', created: 1_700_000_000, model };
  sendJson(response, 200, { ...completion, choices: [choice], usage: usageOf(reply) });
}

function sendRefusal(response: ServerResponse, { param, code, message }: OpenAiRefusal): void {
  sendJson(response, 400, { error: { message, type: 'invalid_request_error', param, code } });
}

function toolPiece(call: Record<string, unknown>): StreamChunk {
  return { delta: { tool_calls: [call] } };
}

function chunkOf(model: string, { delta, finish }: StreamChunk): Record<string, unknown> {
  const choices = [{ index: 0, delta, finish_reason: finish ?? null }];
  return { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model, choices };
}

function sendError(response: ServerResponse, status: number, code: string | null, more = ''): void {
  sendJson(response, status, { error: { message: `Fault ${status}${more}`, type: 'fault', param: null, code } });
}
