import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Handler } from './engine/handler.ts';
import type { FrameworkRequest } from './node-server/framework-request.ts';
import { NodeRequest } from './node-server/node-request.ts';
import { serve } from './node-server/serve.ts';

/**
 * Mounts the API on Node's HTTP server. For a path prefix pass `createHandler(va, { basePath })`.
 * @example createServer(toNode(createHandler(va))).listen(8080);
 */
export function toNode(handler: Handler): (request: IncomingMessage, response: ServerResponse) => void {
  return (incoming: FrameworkRequest, outgoing) => {
    const request = new NodeRequest(incoming, outgoing, incoming.originalUrl ?? incoming.url ?? '/', incoming);
    void serve(handler, request, incoming, outgoing, incoming.baseUrl ?? '');
  };
}
