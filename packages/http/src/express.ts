import type { ServerResponse } from 'node:http';
import { bridge } from './bridge/bridge.ts';
import type { FrameworkRequest } from './bridge/to-request.ts';
import type { Handler } from './handler.ts';

/**
 * Mounts the API in express, under whatever path `app.use` is given. Body parsers may stand before it.
 * @example app.use('/voice', toExpress(createHandler(va)));
 */
export function toExpress(handler: Handler): (request: FrameworkRequest, response: ServerResponse) => void {
  return (request, response) => {
    void bridge(handler, request, response, { basePath: request.baseUrl ?? '' });
  };
}
