import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Handler } from './engine/handler.ts';
import type { FrameworkRequest } from './node-server/framework-request.ts';
import { NodeRequest } from './node-server/node-request.ts';
import { serveIncoming } from './node-server/serve-incoming.ts';

/**
 * Mounts the API on Node's HTTP server. For a path prefix pass `createHandler(va, { basePath })`.
 * @example createServer(toNode(createHandler(va))).listen(8080);
 */
export function toNode(handler: Handler): (request: IncomingMessage, response: ServerResponse) => void {
  return (incoming: FrameworkRequest, outgoing) => {
    const request = new NodeRequest(incoming, outgoing, incoming.originalUrl ?? incoming.url ?? '/', incoming);
    void serveIncoming(handler, request, incoming, outgoing, incoming.baseUrl ?? '');
  };
}
