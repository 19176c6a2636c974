import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { consoleAssets } from '@va/console';
import type { VoiceAgents } from '@va/core';
import { refuseUpgrade } from '@va/core/adapter';
import { createHandler, type HandlerOptions } from '@va/http';
import { toNode } from '@va/http/node';

export interface HttpServer {
  readonly url: string;
  /** URL of the console. */
  readonly consoleUrl: string;
  close(): Promise<void>;
}

/**
 * Serves the API and the console with a Node HTTP server.
 * @param scripts JavaScript files by their path
 */
export async function startHttpServer(
  va: VoiceAgents,
  listen: { host: string; port: number },
  options: HandlerOptions = {},
  scripts: Readonly<Record<string, string>> = {},
): Promise<HttpServer> {
  const handler = createHandler(va, { console: consoleAssets(), ...options });
  const server = createServer(withScripts(toNode(handler), scripts));
  server.on('upgrade', (request, socket, head) => {
    if (!handler.upgrade(request, socket, head)) refuseUpgrade(socket, 404);
  });
  server.listen(listen.port, listen.host);
  // `once` rejects if the port is in use.
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${listen.host}:${port}`,
    consoleUrl: `http://${listen.host}:${port}/console/`,
    async close() {
      server.close();
      server.closeIdleConnections();
      await handler.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function withScripts(api: RequestListener, scripts: Readonly<Record<string, string>>): RequestListener {
  return (request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    const script = request.method === 'GET' && Object.hasOwn(scripts, path) ? scripts[path] : undefined;
    if (script === undefined) api(request, response);
    else response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' }).end(script);
  };
}
