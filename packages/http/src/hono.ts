import type { Context, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import { BytesBody } from './body/bytes-body.ts';
import type { RequestBody } from './body/request-body.ts';
import { leadingSegments } from './engine/base-path.ts';
import type { Handler } from './engine/handler.ts';
import { discardRest } from './web/discard-rest.ts';
import { toResponse } from './web/to-response.ts';
import { WebRequest } from './web/web-request.ts';

/**
 * Mounts the API in hono, under the path that the route has before its `*`. What is not below `/api/v1` there goes on to
 * the routes after it.
 * @example app.use('/voice/*', toHono(createHandler(va)));
 */
export function toHono(handler: Handler): MiddlewareHandler {
  return async (context, next) => {
    const request = new WebRequest(context.req.raw, await readBefore(context));
    const mountPath = leadingSegments(request.path, routePath(context).replace(/\*$/, ''));
    if (!handler.covers(request.path, mountPath)) return await next();
    const response = toResponse(await handler.answer(request, mountPath));
    void discardRest(context.req.raw);
    return response;
  };
}

/** What hono keeps of a body that middleware has read; undefined where nobody has, or it was read past hono. */
async function readBefore({ req }: Context): Promise<RequestBody | undefined> {
  if (!req.raw.bodyUsed) return undefined;
  try {
    return new BytesBody(new Uint8Array(await req.arrayBuffer()));
  } catch {
    return undefined;
  }
}
