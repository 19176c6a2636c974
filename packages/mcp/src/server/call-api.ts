import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Handler } from '@va/http';
import type { ApiTool } from './api-tools.ts';

/** Maximum length of a result, in characters; a longer one is an error that asks for a narrower query. */
const maxResultLength = 200_000;

/** Headers of the MCP request that are not passed on to the API. */
const ownHeaders = [
  'accept',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'host',
  'idempotency-key',
  'keep-alive',
  'last-event-id',
  'mcp-protocol-version',
  'mcp-session-id',
  'transfer-encoding',
];

/** Parts of a tool's arguments, by their place in the request. */
interface Arguments {
  readonly [param: string]: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** Calls the API as an HTTP client does, with the credentials of the MCP request. Returns its errors as results. */
export async function callApi(
  api: Handler,
  { route }: ApiTool,
  args: Arguments,
  credentials: Headers,
): Promise<CallToolResult> {
  const url = urlOf(route.path, args);
  if (url === null) return failed('Each argument that is part of the path must be a non-empty string.');
  const headers = new Headers(credentials);
  for (const name of ownHeaders) headers.delete(name);
  const hasBody = route.body !== null;
  if (hasBody) headers.set('content-type', 'application/json');
  const request = new Request(url, {
    method: route.method,
    headers,
    ...(hasBody && { body: JSON.stringify(args.body ?? {}) }),
  });
  const response = await api.fetch(request);
  const text = await response.text();
  if (!response.ok) return failed(`${response.status}: ${text}`);
  const shown = withoutSecrets(text);
  if (shown.length <= maxResultLength) return { content: [{ type: 'text', text: shown }] };
  return failed(`The result has ${shown.length} characters. Ask for less, with the query's limit or filters.`);
}

function urlOf(path: string, args: Arguments): URL | null {
  let isComplete = true;
  const filled = path.replace(/:(\w+)/g, (_all, name: string) => {
    const value = args[name];
    if (typeof value !== 'string' || value === '') isComplete = false;
    return encodeURIComponent(String(value));
  });
  if (!isComplete) return null;
  const url = new URL(`http://localhost/api/v1${filled}`);
  for (const [name, value] of Object.entries(args.query ?? {})) {
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
  }
  return url;
}

/** Replaces the secrets that sign webhooks. */
function withoutSecrets(json: string): string {
  if (!json.includes('secret"')) return json;
  return JSON.stringify(JSON.parse(json), (key, value: unknown) =>
    /(^|_)secret$/.test(key) && typeof value === 'string' ? '(hidden)' : value,
  );
}

function failed(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] };
}
