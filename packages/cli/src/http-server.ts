import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { consoleAssets } from '@va/console';
import type { VoiceAgents } from '@va/core';
import { createHandler, type HandlerOptions } from '@va/http';
import { toNode } from '@va/http/node';

export interface HttpServer {
  readonly url: string;
  /** Address of the console. */
  readonly consoleUrl: string;
  close(): Promise<void>;
}

/** Serves the API and the console on a plain Node server. */
export async function startHttpServer(
  va: VoiceAgents,
  listen: { host: string; port: number },
  options: HandlerOptions = {},
): Promise<HttpServer> {
  const handler = createHandler(va, { console: consoleAssets(), ...options });
  const server = createServer(toNode(handler));
  server.listen(listen.port, listen.host);
  // `once` rejects when the port is taken.
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
