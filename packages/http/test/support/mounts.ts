import { createServer, type RequestListener, type Server } from 'node:http';
import type { HandlerHost } from '@va/core';
import express from 'express';
import { toExpress } from '../../src/express.ts';
import { createHandler, type Handler } from '../../src/handler.ts';
import { toNode } from '../../src/node.ts';

export interface Mounted {
  /** Where the API is, up to and with `/api/v1`. */
  readonly url: string;
  /** The path of that. */
  readonly path: string;
  readonly server: Server;
  readonly handler: Handler;
  close(): Promise<void>;
}

type Mounting = (host: HandlerHost) => { handler: Handler; listener: RequestListener; basePath: string };

/** Each way to put the API into a server. All have to answer alike. */
export const mounts: readonly (readonly [string, Mounting])[] = [
  [
    'node',
    (host) => {
      const handler = createHandler(host);
      return { handler, listener: toNode(handler), basePath: '' };
    },
  ],
  [
    'node below a path',
    (host) => {
      const handler = createHandler(host, { basePath: '/voice/' });
      return { handler, listener: toNode(handler), basePath: '/voice' };
    },
  ],
  [
    'express below a path',
    (host) => {
      const handler = createHandler(host);
      const app = express();
      app.use('/voice', toExpress(handler));
      return { handler, listener: app, basePath: '/voice' };
    },
  ],
  [
    'express behind express.json() and a router',
    (host) => {
      const handler = createHandler(host);
      const app = express();
      const router = express.Router();
      router.use('/agents', toExpress(handler));
      app.use(express.json({ strict: false }), express.urlencoded(), express.text(), router);
      return { handler, listener: app, basePath: '/agents' };
    },
  ],
];

export async function mount(mounting: Mounting, host: HandlerHost): Promise<Mounted> {
  const { handler, listener, basePath } = mounting(host);
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('A listening server has a port.');
  const path = `${basePath}/api/v1`;
  return {
    url: `http://127.0.0.1:${address.port}${path}`,
    path,
    server,
    handler,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await handler.close();
    },
  };
}
