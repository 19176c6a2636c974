import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import * as streamableHttp from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Principal } from '@va/core';
import { type HandlerHost, RequestError, toError } from '@va/core/adapter';
import type { Handler, HttpRequest, HttpResponse } from '@va/http';
import manifest from '../../package.json' with { type: 'json' };
import { apiTools } from './api-tools.ts';
import { callApi } from './call-api.ts';
import { fetchRequest } from './fetch-request.ts';

const maxBodyBytes = 1_048_576;

const instructions = [
  'Builds and runs voice agents: AI agents that answer and place phone calls.',
  'An agent has a speech-to-text, language-model and text-to-speech configuration (stt_config, llm_config,',
  'tts_config), or one speech-to-speech model in llm_config.',
  'llm_config.messages holds its prompt and llm_config.tools its tools.',
  'Assign an agent to a number with numbers_update, or let it call somebody with calls_place.',
  'Calls and campaigns ring real phones: ask before you start one.',
].join(' ');

/**
 * Adds an MCP server to the REST API, at `/api/v1/mcp`: a tool for each operation on agents, calls, campaigns and what
 * belongs to them. A client gets the tools that its API key has the scope for; rate limits and errors are those of the
 * API. Streamable HTTP without sessions.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
 * @example app.use('/voice', toExpress(withMcp(va, createHandler(va)))); // https://…/voice/api/v1/mcp
 */
export function withMcp(host: HandlerHost, api: Handler): Handler {
  const serve = async (request: HttpRequest): Promise<HttpResponse> => {
    try {
      return await answer(host, api, request);
    } catch (thrown) {
      if (thrown instanceof RequestError) return refusal(thrown.status, thrown.message);
      host.logger.error({ err: toError(thrown) }, 'failed to answer MCP request');
      return refusal(500, 'Internal error.');
    }
  };
  return {
    ...api,
    handle: (request, mountPath) => (isMcp(request.path) ? serve(request) : api.handle(request, mountPath)),
    fetch: (request, from) =>
      isMcp(new URL(request.url).pathname) ? serveFetch(serve, request) : api.fetch(request, from),
  };
}

function isMcp(path: string): boolean {
  return /\/api\/v1\/mcp\/?$/.test(path);
}

async function serveFetch(serve: (request: HttpRequest) => Promise<HttpResponse>, request: Request): Promise<Response> {
  const { status, headers, body } = await serve(fetchRequest(request));
  return new Response(typeof body === 'string' ? body : null, { status, headers });
}

async function answer(host: HandlerHost, api: Handler, request: HttpRequest): Promise<HttpResponse> {
  if (request.method !== 'POST') {
    return { ...refusal(405, 'Send JSON-RPC requests by POST.'), headers: { ...jsonHeaders, allow: 'POST' } };
  }
  const principal = await host.authenticate({
    authorization: request.header('authorization'),
    toRequest: () => request.toRequest(),
  });
  if (principal.publishableKey !== undefined) {
    throw new RequestError(403, 'forbidden', 'A publishable key allows POST /calls/web only.');
  }
  const message = await readJson(request);
  const { headers } = request.toRequest();
  const server = createServer(api, principal, headers);
  // Without a generator of session ids, the transport is stateless.
  const transport = new streamableHttp.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport as Transport);
    const incoming = new Request('http://localhost/mcp', { method: 'POST', headers });
    const response = await transport.handleRequest(incoming, { parsedBody: message });
    const body = await response.text();
    return { status: response.status, headers: { ...jsonHeaders }, body: body === '' ? null : body };
  } finally {
    await server.close();
  }
}

function createServer(api: Handler, principal: Principal, credentials: Headers): Server {
  const server = new Server(
    { name: 'voice-agents', version: manifest.version },
    { capabilities: { tools: {} }, instructions },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...apiTools.values()]
      .filter(({ scope }) => principal.scopes.includes('*') || principal.scopes.includes(scope))
      .map(({ name, title, description, inputSchema, annotations }) => ({
        name,
        title,
        description,
        inputSchema,
        annotations,
      })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: args = {} } }) => {
    const tool = apiTools.get(name);
    if (tool === undefined) return { isError: true, content: [{ type: 'text', text: `There is no tool ${name}.` }] };
    return await callApi(api, tool, args, credentials);
  });
  return server;
}

/** Reads a JSON-RPC message. @throws RequestError 400, 413 or 415 */
async function readJson(request: HttpRequest): Promise<unknown> {
  const encoding = request.header('content-encoding');
  if (request.body.isEncoded && encoding !== null && encoding !== 'identity')
    throw new RequestError(415, 'unsupported_encoding', 'Send the body without Content-Encoding.');
  const text = new TextDecoder().decode(await request.body.bytes(maxBodyBytes));
  if (request.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase() !== 'application/json') {
    throw new RequestError(415, 'unsupported_media_type', 'Send the body as application/json.');
  }
  try {
    const message: unknown = JSON.parse(text);
    // The protocol has no batches since its version 2025-06-18.
    if (!Array.isArray(message)) return message;
  } catch {
    // Rejected below, like a batch.
  }
  throw new RequestError(400, 'invalid_json', 'The body is not one JSON-RPC message.');
}

const jsonHeaders = { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' };

/** @see https://www.jsonrpc.org/specification#error_object */
function refusal(status: number, message: string): HttpResponse {
  const challenge: Record<string, string> = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null });
  return { status, headers: { ...jsonHeaders, ...challenge }, body };
}
