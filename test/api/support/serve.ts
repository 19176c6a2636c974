import { type Agent, createServer, type Server } from 'node:http';
import type { Handler } from '@va/http';
import { toNode } from '@va/http/node';
import { keepAliveAgent } from './exchange.ts';

export interface Served {
  readonly server: Server;
  readonly origin: string;
  /** Connections of a client, which stay open between its requests. */
  readonly agent: Agent;
  close(): Promise<void>;
}

/** Serves a handler on loopback. */
export async function serve(handler: Handler): Promise<Served> {
  const server = createServer(toNode(handler));
  // The default is 5 s; a request that is sent just as the server closes its connection would fail.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  const agent = keepAliveAgent();
  return {
    server,
    origin: `http://127.0.0.1:${address.port}`,
    agent,
    async close() {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
