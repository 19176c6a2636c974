import type { ServerResponse } from 'node:http';
import type { Handler } from './engine/handler.ts';
import type { FrameworkRequest } from './node-server/framework-request.ts';
import { NodeRequest } from './node-server/node-request.ts';
import { serveIncoming } from './node-server/serve-incoming.ts';

/**
 * Mounts the API in express, under the path given to `app.use`. Body parsers may run before it. Other paths continue
 * to the next route.
 * @example app.use('/voice', toExpress(createHandler(va)));
 */
export function toExpress(
  handler: Handler,
): (request: FrameworkRequest, response: ServerResponse, next: () => void) => void {
  return (incoming, outgoing, next) => {
    const mountPath = incoming.baseUrl ?? '';
    const request = new NodeRequest(incoming, outgoing, incoming.originalUrl ?? incoming.url ?? '/', incoming);
    if (handler.covers(request.path, mountPath)) void serveIncoming(handler, request, incoming, outgoing, mountPath);
    else next();
  };
}
