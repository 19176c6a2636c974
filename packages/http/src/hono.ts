import type { Context, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import { BytesBody } from './body/bytes-body.ts';
import type { Handler } from './engine/handler.ts';
import { leadingSegments } from './engine/request/base-path.ts';
import type { RequestBody } from './message/request-body.ts';
import { discardBody } from './web/discard-body.ts';
import { remoteAddressOf } from './web/remote-address.ts';
import { toResponse } from './web/to-response.ts';
import { WebRequest } from './web/web-request.ts';

/**
 * Mounts the API in hono, under the part of the route's path before `*`. Other paths continue to the next route.
 * @example app.use('/voice/*', toHono(createHandler(va)));
 */
export function toHono(handler: Handler): MiddlewareHandler {
  return async (context, next) => {
    const body = await readBefore(context);
    const from = { remoteAddress: remoteAddressOf(context.env), ...(body === undefined ? {} : { body }) };
    const request = new WebRequest(context.req.raw, from);
    const mountPath = leadingSegments(request.path, routePath(context).replace(/\*$/, ''));
    if (!handler.covers(request.path, mountPath)) return await next();
    const response = toResponse(await handler.handle(request, mountPath));
    void discardBody(context.req.raw);
    return response;
  };
}

/** Returns the body that hono cached for earlier middleware; undefined if none read it through hono. */
async function readBefore({ req }: Context): Promise<RequestBody | undefined> {
  if (!req.raw.bodyUsed) return undefined;
  try {
    return new BytesBody(new Uint8Array(await req.arrayBuffer()));
  } catch {
    return undefined;
  }
}
