import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface ScriptedServer {
  /** Has a path, like the URL of a mounted service. */
  readonly baseUrl: string;
  readonly received: Received[];
}

/** Answers each request by the next step; the last step repeats. */
export async function startServer(
  ...steps: readonly ((response: ServerResponse, request: Received) => void)[]
): Promise<ScriptedServer> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body };
      received.push(one);
      steps[Math.min(received.length, steps.length) - 1]?.(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return { baseUrl: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/voice/`, received };
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}) {
  return (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

/** Breaks the connection instead of responding. */
export function hangUp(response: ServerResponse): void {
  response.destroy();
}

/** Leaves the request without a response. */
export function hold(): void {}
