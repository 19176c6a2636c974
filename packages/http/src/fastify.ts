import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Handler } from './engine/handler.ts';
import { leadingSegments } from './engine/request/base-path.ts';
import type { FrameworkRequest } from './node-server/framework-request.ts';
import { NodeRequest } from './node-server/node-request.ts';
import { serveIncoming } from './node-server/serve-incoming.ts';

/**
 * Mounts the API in fastify, as a plugin. The host's earlier hooks run and their headers are sent; its body parsers are
 * not affected. The response bypasses `onSend`.
 * @example app.register(toFastify(createHandler(va)), { prefix: '/voice' });
 */
export function toFastify(handler: Handler): (app: FastifyInstance) => Promise<void> {
  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, _payload, done) => done(null));

    const serveBelow = async ({ raw }: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const incoming: FrameworkRequest = raw;
      reply.hijack();
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) reply.raw.setHeader(name, value);
      }
      const request = new NodeRequest(incoming, reply.raw, incoming.url ?? '/', incoming);
      await serveIncoming(handler, request, incoming, reply.raw, leadingSegments(request.path, app.prefix));
    };
    app.all('/api/v1', serveBelow);
    app.all('/api/v1/*', serveBelow);
    app.all('/telephony/*', serveBelow);
    // Without a console, these paths belong to the host.
    if (handler.hasConsole !== true) return;
    app.all('/console', serveBelow);
    app.all('/console/*', serveBelow);
  };
}
