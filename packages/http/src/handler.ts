import { type HandlerHost, RequestError, requireScope, toError, uuidv7 } from '@va/core';
import { Hono } from 'hono';
import { errorResponse, HttpError, toRequestError } from './error-answer.ts';
import { readJson } from './json-body.ts';
import { readQuery } from './query.ts';
import type { Answer, Route, RouteRequest } from './routes/route.ts';
import { routes } from './routes/routes.ts';

export interface HandlerOptions {
  /** The path that the API's own `/api/v1` comes after, such as `/voice`. A mount that knows its path needs none. */
  readonly basePath?: string;
}

/** Where a framework has mounted the handler. */
export interface Mount {
  readonly basePath: string;
}

/** The REST API. `toNode` and `toExpress` mount it; anything that speaks `Request` and `Response` can call it as it is. */
export interface Handler {
  /** Never rejects. */
  fetch(request: Request, mount?: Mount): Promise<Response>;
  /** Answers 503 from now on; resolves when no request is being worked on. */
  close(): Promise<void>;
}

interface Exchange {
  readonly basePath: string;
  readonly requestId: string;
}

const apiPrefix = '/api/v1';

/**
 * Makes the REST API of a service.
 * @example app.use('/voice', toExpress(createHandler(va)));
 */
export function createHandler(host: HandlerHost, options: HandlerOptions = {}): Handler {
  const fixedBasePath = options.basePath?.replace(/\/+$/, '');
  const router = createRouter(host);
  const working = new Set<Promise<Response>>();
  let closed = false;

  async function answer(request: Request, exchange: Exchange): Promise<Response> {
    try {
      if (closed) throw new RequestError(503, 'unavailable', 'The service is shutting down.');
      return await router.fetch(request, exchange);
    } catch (error) {
      return failed(host, error, request, exchange);
    }
  }

  return {
    async fetch(request, mount) {
      const exchange = {
        basePath: fixedBasePath ?? mount?.basePath ?? '',
        requestId: requestIdOf(request) ?? uuidv7(host.clock),
      };
      const answering = answer(request, exchange);
      working.add(answering);
      const response = await answering;
      working.delete(answering);
      response.headers.set('x-request-id', exchange.requestId);
      return response;
    },

    async close() {
      closed = true;
      await Promise.all(working);
    },
  };
}

function createRouter(host: HandlerHost): Hono<{ Bindings: Exchange }> {
  const router = new Hono<{ Bindings: Exchange }>({
    getPath: (request, context) => pathBelow(context?.env?.basePath ?? '', new URL(request.url).pathname),
  });
  for (const route of routes) {
    router.on(route.method, `${apiPrefix}${route.path}`, (c) => serve(host, route, c.req.raw, c.req.param(), c.env));
  }
  for (const path of new Set(routes.map((route) => route.path))) {
    const allow = allowedMethods(path);
    router.all(`${apiPrefix}${path}`, (c) => {
      throw new HttpError(405, 'method_not_allowed', `${c.req.method} is not among ${allow}.`, { allow });
    });
  }
  router.notFound((c) => {
    throw new RequestError(404, 'route_not_found', `There is nothing at ${new URL(c.req.url).pathname}.`);
  });
  router.onError((error, c) => failed(host, error, c.req.raw, c.env));
  return router;
}

async function serve(
  host: HandlerHost,
  route: Route,
  request: Request,
  params: Record<string, string>,
  exchange: Exchange,
): Promise<Response> {
  const read = async (): Promise<RouteRequest> => ({
    host,
    apiPath: `${exchange.basePath}${apiPrefix}`,
    params,
    query: readQuery(new URL(request.url).searchParams),
    body: route.body === undefined ? undefined : await readJson(request),
    request,
  });
  if (route.scope === null) return toResponse(await route.handle(await read()));
  const principal = await host.authenticate(request);
  requireScope(principal, route.scope);
  return toResponse(await route.handle({ ...(await read()), principal }));
}

function toResponse(answer: Answer | Response): Response {
  if (answer instanceof Response) return answer;
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', ...answer.headers };
  return new Response(JSON.stringify(answer.body), { status: answer.status, headers });
}

function failed(host: HandlerHost, thrown: unknown, request: Request, { requestId }: Exchange): Response {
  const error = toRequestError(thrown);
  if (error.status === 500) {
    const { pathname } = new URL(request.url);
    host.logger.error({ requestId, method: request.method, path: pathname, err: toError(thrown) }, 'a request failed');
  }
  return errorResponse(error, request, requestId);
}

function allowedMethods(path: string): string {
  const methods = routes.filter((route) => route.path === path).map((route): string => route.method);
  return (methods.includes('GET') ? [...methods, 'HEAD'] : methods).join(', ');
}

/** Outside the base path there is nothing of ours, so that a path there matches no route. */
function pathBelow(basePath: string, pathname: string): string {
  return pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : '/';
}

/** A caller's own id is taken over when it can stand in a log line as it is. */
function requestIdOf(request: Request): string | undefined {
  return /^[\w.:-]{1,128}$/.exec(request.headers.get('x-request-id') ?? '')?.[0];
}
