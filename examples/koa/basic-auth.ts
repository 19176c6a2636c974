import { createHash, timingSafeEqual } from 'node:crypto';
import type { Middleware } from 'koa';

/** Requires one name and password. Stands in for the application's own authentication. */
export function basicAuth(name: string, password: string): Middleware {
  const expected = digest(`Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`);
  return async (context, next) => {
    if (timingSafeEqual(digest(context.get('authorization')), expected)) return await next();
    context.set('www-authenticate', 'Basic realm="customers"');
    context.throw(401);
  };
}

/** Returns a digest of constant length, so that comparing two takes the same time for any input. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
