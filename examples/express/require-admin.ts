import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';

const token = process.env.ADMIN_TOKEN;
if (token === undefined || token === '') throw new Error('Set ADMIN_TOKEN to what opens the routes below /admin.');
const expected = digest(`Bearer ${token}`);

/** Stands in for the application's own authentication. */
export const requireAdmin: RequestHandler = (request, response, next) => {
  if (timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) next();
  else response.status(401).json({ error: 'Only for admins.' });
};

/** Returns a digest of constant length, so that comparing two takes the same time for any input. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
