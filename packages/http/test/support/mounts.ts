import { createServer, type RequestListener, type Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { bodyParser } from '@koa/bodyparser';
import express from 'express';
import Fastify from 'fastify';
import { Hono } from 'hono';
import Koa from 'koa';
import koaMount from 'koa-mount';
import type { Handler, HandlerOptions } from '../../src/engine/handler.ts';
import { toExpress } from '../../src/express.ts';
import { toFastify } from '../../src/fastify.ts';
import { toHono } from '../../src/hono.ts';
import { toKoa } from '../../src/koa.ts';
import { toNode } from '../../src/node.ts';

export type CreateHandler = (options?: HandlerOptions) => Handler;

interface Placed {
  readonly handler: Handler;
  readonly server: Server;
  /** Path before `/api/v1`. */
  readonly basePath: string;
}

/** A way to put a handler into a server. */
export interface Mounting {
  readonly name: string;
  /** True if the host's parser reads JSON first and refuses malformed JSON. */
  readonly isParsedBefore?: true;
  /** True if that parser keeps only the value, not the bytes. */
  readonly losesBytes?: true;
  /** True if the handler gets Node's request without a framework in between. */
  readonly isNode: boolean;
  /** True if the host answers `GET /host`, and `POST /host` with the JSON parsed by itself. */
  readonly hasHostRoutes?: true;
  place(create: CreateHandler): Promise<Placed>;
}

/** Each way to put the API into a server. All have to respond alike. */
export const mountings: readonly Mounting[] = [
  {
    name: 'node',
    isNode: true,
    async place(create) {
      const handler = create();
      return { handler, server: createServer(toNode(handler)), basePath: '' };
    },
  },
  {
    name: 'node below a path',
    isNode: true,
    async place(create) {
      const handler = create({ basePath: '/voice/' });
      return { handler, server: createServer(toNode(handler)), basePath: '/voice' };
    },
  },
  {
    name: 'express below a path',
    isNode: true,
    hasHostRoutes: true,
    async place(create) {
      const handler = create();
      const app = express();
      app.use((_request, response, next) => {
        response.setHeader('vary', 'X-Host');
        response.append('set-cookie', 'host=1').append('set-cookie', 'more=2');
        next();
      });
      app.use('/voice', toExpress(handler));
      hostRoutes(app);
      return { handler, server: createServer(app), basePath: '/voice' };
    },
  },
  {
    name: 'express behind parsers, in a nested router',
    losesBytes: true,
    isNode: true,
    isParsedBefore: true,
    hasHostRoutes: true,
    async place(create) {
      const handler = create();
      const app = express();
      const [outer, inner] = [express.Router(), express.Router()];
      app.use(express.json({ strict: false }), express.urlencoded(), express.text());
      app.use('/outer/', outer);
      outer.use('/caf%C3%A9', inner);
      inner.use(toExpress(handler));
      hostRoutes(app);
      return { handler, server: createServer(app), basePath: '/outer/caf%C3%A9' };
    },
  },
  {
    name: 'express behind a parser that keeps the bytes',
    isNode: true,
    isParsedBefore: true,
    async place(create) {
      const handler = create();
      const app = express();
      const verify = (request: object, _response: unknown, rawBody: Buffer): void => {
        Object.assign(request, { rawBody });
      };
      app.use(express.json({ strict: false, verify }), toExpress(handler));
      return { handler, server: createServer(app), basePath: '' };
    },
  },
  {
    name: 'fastify',
    isNode: true,
    hasHostRoutes: true,
    async place(create) {
      const handler = create();
      const listeners: RequestListener[] = [];
      const server = createServer((request, response) => listeners[0]?.(request, response));
      const app = Fastify({
        serverFactory: (listener) => {
          listeners.push(listener);
          return server;
        },
      });
      app.addHook('onRequest', async (_request, reply) => {
        reply.header('x-hook', 'ran');
      });
      app.get('/host', async () => 'host');
      app.post('/host', async (request) => ({ parsed: request.body }));
      await app.register(
        async (outer) => {
          await outer.register(toFastify(handler), { prefix: '/voice/' });
        },
        { prefix: '/:tenant' },
      );
      await app.ready();
      return { handler, server, basePath: '/acme/voice' };
    },
  },
  {
    name: 'koa below a path',
    isNode: true,
    hasHostRoutes: true,
    async place(create) {
      const handler = create();
      const app = new Koa();
      app.silent = true;
      app.use(async (ctx, next) => {
        ctx.set('x-middleware', 'ran');
        await next();
        ctx.set('x-too-late', 'ran');
      });
      app.use(toKoa(handler, { prefix: '/voice' }));
      app.use(bodyParser());
      koaHostRoutes(app);
      return { handler, server: createServer(app.callback()), basePath: '/voice' };
    },
  },
  {
    name: 'koa behind a parser, with koa-mount',
    isNode: true,
    isParsedBefore: true,
    hasHostRoutes: true,
    async place(create) {
      const handler = create();
      const app = new Koa();
      app.silent = true;
      app.use(bodyParser({ jsonStrict: false, jsonLimit: '20mb' }));
      app.use(koaMount('/voice', toKoa(handler)));
      koaHostRoutes(app);
      return { handler, server: createServer(app.callback()), basePath: '/voice' };
    },
  },
  {
    name: 'hono',
    isNode: false,
    hasHostRoutes: true,
    async place(create) {
      const handler = create();
      const app = new Hono();
      app.use('/acme/voice/*', async (context, next) => {
        await next();
        context.header('x-middleware', 'ran');
      });
      app.route('/:tenant', new Hono().use('/voice/*', toHono(handler)));
      app.get('/host', (context) => context.text('host'));
      app.post('/host', async (context) => context.json({ parsed: await context.req.json() }));
      return { handler, server: webServer(app.fetch), basePath: '/acme/voice' };
    },
  },
  {
    name: 'hono behind a parser',
    isNode: false,
    isParsedBefore: true,
    async place(create) {
      const handler = create();
      const app = new Hono();
      app.use(async (context, next) => {
        if (context.req.header('content-type') === 'application/json') await context.req.text();
        await next();
      });
      app.all('/api/v1/*', toHono(handler));
      app.all('/telephony/*', toHono(handler));
      return { handler, server: webServer(app.fetch), basePath: '' };
    },
  },
  {
    name: 'hono.mount, which cuts the path off',
    isNode: false,
    async place(create) {
      const handler = create({ basePath: '/voice' });
      const app = new Hono().mount('/voice', handler.fetch).onError(() => new Response(null, { status: 500 }));
      return { handler, server: webServer(app.fetch), basePath: '/voice' };
    },
  },
  {
    name: 'plain fetch',
    isNode: false,
    async place(create) {
      const handler = create();
      return { handler, server: webServer(handler.fetch), basePath: '' };
    },
  },
];

export interface Mounted {
  /** Origin of the server. */
  readonly origin: string;
  /** URL of the API, including `/api/v1`. */
  readonly url: string;
  /** Path of that URL. */
  readonly path: string;
  readonly server: Server;
  readonly handler: Handler;
  close(): Promise<void>;
}

export async function mount(mounting: Mounting, create: CreateHandler): Promise<Mounted> {
  const { handler, server, basePath } = await mounting.place(create);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('A listening server has a port.');
  const path = `${basePath}/api/v1`;
  const origin = `http://127.0.0.1:${address.port}`;
  return {
    origin,
    url: `${origin}${path}`,
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

function hostRoutes(app: express.Express): void {
  app.get('/host', (_request, response) => {
    response.send('host');
  });
  app.post('/host', express.json(), (request, response) => {
    response.json({ parsed: request.body });
  });
}

function koaHostRoutes(app: Koa): void {
  app.use((ctx) => {
    if (ctx.path === '/host') ctx.body = ctx.method === 'GET' ? 'host' : { parsed: ctx.request.body };
  });
}

function webServer(fetch: (request: Request, bindings: object) => Response | Promise<Response>): Server {
  const server = createAdaptorServer({
    fetch: (request, bindings) => fetch(request, bindings),
    overrideGlobalObjects: false,
    createServer,
  });
  if (!('closeAllConnections' in server)) throw new Error('This is a server of HTTP/1.');
  return server;
}
