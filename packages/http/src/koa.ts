import type { Context, Next } from 'koa';
import type { Handler } from './engine/handler.ts';
import { toBasePath } from './engine/request/base-path.ts';
import type { ReadBody } from './node-server/body-of.ts';
import { NodeRequest } from './node-server/node-request.ts';
import { serveIncoming } from './node-server/serve-incoming.ts';

/** Options of `toKoa()`. */
export interface KoaMountOptions {
  /** The path before `/api/v1`, such as `/voice`. Not needed with koa-mount. */
  readonly prefix?: string;
}

/**
 * Mounts the API in koa. Body parsers may run before it. Other paths continue to the next middleware. The response
 * bypasses `ctx.body`.
 * @example app.use(toKoa(createHandler(va), { prefix: '/voice' }));
 */
export function toKoa(handler: Handler, options: KoaMountOptions = {}): (ctx: Context, next: Next) => Promise<void> {
  const prefix = toBasePath(options.prefix ?? '');
  return async (ctx, next) => {
    const read: ReadBody & Context['request'] = ctx.request;
    const request = new NodeRequest(ctx.req, ctx.res, ctx.originalUrl, read);
    const mountPath = `${cutOff(request.path, ctx.path)}${prefix}`;
    if (!handler.covers(request.path, mountPath)) return await next();
    ctx.respond = false;
    await serveIncoming(handler, request, ctx.req, ctx.res, mountPath);
  };
}

/** Returns the prefix that koa-mount removed from the path. */
function cutOff(original: string, path: string): string {
  return original.endsWith(path) ? original.slice(0, original.length - path.length) : '';
}
