import type { IncomingMessage, ServerResponse } from 'node:http';
import { bridge } from './bridge/bridge.ts';
import type { Handler } from './handler.ts';

/**
 * Mounts the API on node's own server. Below a path, say so with `createHandler(va, { basePath })`.
 * @example createServer(toNode(createHandler(va))).listen(8080);
 */
export function toNode(handler: Handler): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    void bridge(handler, request, response);
  };
}
