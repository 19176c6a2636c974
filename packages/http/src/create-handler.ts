import type { HandlerHost } from '@va/core/adapter';
import { docsRoutes } from './docs/docs-routes.ts';
import { createEngine } from './engine/engine.ts';
import type { Handler, HandlerOptions } from './engine/handler.ts';
import { metricsRoutes } from './metrics/metrics-routes.ts';
import { openApiRoutes } from './openapi/openapi-routes.ts';
import { probeRoutes } from './probes/probe-routes.ts';
import { linkedRecordings } from './recordings/linked-recordings.ts';
import type { RouteGroups } from './route/route.ts';
import { routes } from './routes/routes.ts';

/**
 * Creates the REST API of a service as one handler, which a mount such as `toExpress` or `toNode` puts into a server.
 * @example app.use('/voice', toExpress(createHandler(va)));
 */
export function createHandler(host: HandlerHost, options: HandlerOptions = {}): Handler {
  const described: RouteGroups = { ...routes, probes: probeRoutes, description: openApiRoutes(() => described) };
  const { docs = false, metrics } = options;
  return createEngine(
    host,
    {
      ...described,
      ...(docs === false ? {} : { docs: docsRoutes(docs === true ? null : docs.bundle) }),
      ...(host.openLinkedRecording === undefined
        ? {}
        : { linkedRecordings: linkedRecordings(host.openLinkedRecording) }),
      ...(metrics === undefined ? {} : { metrics: metricsRoutes(metrics) }),
    },
    options,
  );
}
