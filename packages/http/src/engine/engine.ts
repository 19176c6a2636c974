import { type HandlerHost, toError } from '@va/core/adapter';
import { InFlight } from '../limits/in-flight.ts';
import { OpenStreams, streamLimits } from '../limits/open-streams.ts';
import { describeLimit, RateLimits } from '../limits/rate-limits.ts';
import { TrustedProxies } from '../limits/trusted-proxies.ts';
import { HttpError } from '../message/http-error.ts';
import type { HttpRequest } from '../message/http-request.ts';
import type { HttpResponse } from '../message/http-response.ts';
import type { RouteGroups } from '../route/route.ts';
import { TelephonyRequests } from '../telephony/telephony-requests.ts';
import { discardBody } from '../web/discard-body.ts';
import { remoteAddressOf } from '../web/remote-address.ts';
import { toResponse } from '../web/to-response.ts';
import { WebRequest } from '../web/web-request.ts';
import { ConsoleRequests } from './console/console-requests.ts';
import { Cors, decorateForPage, preflightForPages } from './cors.ts';
import type { Exchange } from './exchange.ts';
import type { Handler, HandlerOptions } from './handler.ts';
import { PageAdmission } from './page-admission.ts';
import { apiPrefix, belowApi, toBasePath } from './request/base-path.ts';
import { requestIdOf } from './request/request-id.ts';
import { errorResponse, toRequestError } from './response/error-response.ts';
import { watchStream } from './response/watched-stream.ts';
import { Router } from './router.ts';
import { serveOpen, serveScoped } from './serve-route.ts';

/**
 * Creates the handler that serves routes: matches a request, runs its route, and adds the headers that every response
 * has.
 */
export function createEngine(host: HandlerHost, groups: RouteGroups, options: HandlerOptions): Handler {
  const { logger, clock } = host;
  const router = new Router(Object.values(groups).flatMap((group) => Object.values(group)));
  const limits = new RateLimits(clock, options.rateLimits);
  const cors = options.cors === undefined ? null : new Cors(options.cors, logger);
  const fixedBasePath = options.basePath === undefined ? null : toBasePath(options.basePath);
  const proxies = new TrustedProxies(options.trustedProxies);
  const guards = { limits, cors, pages: new PageAdmission(clock, proxies) };
  const telephony = new TelephonyRequests(host, proxies);
  const consolePage = new ConsoleRequests(options.console);
  const publicBasePath = URL.canParse(host.publicUrl ?? '') ? toBasePath(new URL(host.publicUrl ?? '').pathname) : '';
  const inFlight = new InFlight();
  const streams = new OpenStreams(host, streamLimits(options.rateLimits));
  const endless = new Set<() => void>();
  let isClosed = false;

  async function dispatch(exchange: Exchange): Promise<HttpResponse> {
    const { request, pathBelowApi } = exchange;
    if (isClosed) throw new HttpError(503, 'unavailable', 'The service is shutting down.', { 'retry-after': '5' });
    if (pathBelowApi === null) {
      const served =
        (await telephony.serve(request, exchange.basePath)) ?? (await consolePage.serve(request, exchange.basePath));
      if (served !== null) return served;
    }
    const match = pathBelowApi === null ? null : router.match(request.method, pathBelowApi);
    if (match === null) {
      throw new HttpError(404, 'route_not_found', `No resource exists at ${request.path.slice(0, 256)}.`, {});
    }
    if ('route' in match) {
      const { route, params } = match;
      if (route.scope === null) return await serveOpen(host, limits, route, params, exchange);
      const response = await serveScoped(host, guards, route, params, exchange);
      return isEndless(response) ? admit(response, route.scope, exchange) : response;
    }
    const allow = [...match.methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'];
    return respondToOptions(
      request,
      allow.join(', '),
      match.routes.some(({ admitsPages }) => admitsPages),
    );
  }

  /** @throws RequestError 429 `too_many_streams` */
  function admit(response: HttpResponse, scope: string, exchange: Exchange): HttpResponse {
    const { principal, request } = exchange;
    if (principal === null) return response;
    const credentials = { authorization: request.header('authorization'), toRequest: () => request.toRequest() };
    try {
      exchange.stream = streams.admit(principal, credentials, scope);
      return response;
    } catch (thrown) {
      if (response.body instanceof ReadableStream) response.body.cancel().catch(() => {});
      throw thrown;
    }
  }

  function respondToOptions(request: HttpRequest, allow: string, admitsPages: boolean): HttpResponse {
    if (request.method !== 'OPTIONS') {
      throw new HttpError(
        405,
        'method_not_allowed',
        `The method ${request.method} is not allowed here. Allowed: ${allow}.`,
        { allow },
      );
    }
    const headers: Record<string, string> = { allow };
    const origin = request.header('origin');
    cors?.preflight(headers, origin, allow);
    if (admitsPages && !cors?.allows(origin)) preflightForPages(headers);
    return { status: 204, headers, body: null };
  }

  function refuse(thrown: unknown, exchange: Exchange): HttpResponse {
    const error = toRequestError(thrown);
    if (error.status === 500) log(thrown, exchange, 'request failed');
    return errorResponse(error, exchange.request.header('accept'), exchange.requestId);
  }

  /** Logs an error of the service; at debug level if the client had disconnected. */
  function log(thrown: unknown, { request, requestId, basePath, pathBelowApi }: Exchange, message: string): void {
    const path = pathBelowApi === null ? request.path : `${basePath}${apiPrefix}${pathBelowApi}`;
    const fields = { requestId, method: request.method, path, err: toError(thrown) };
    if (request.gone) logger.debug(fields, message);
    else logger.error(fields, message);
  }

  /** Counts a streaming response as in flight until it ends, and logs its failure. */
  function watched(
    body: ReadableStream<Uint8Array>,
    endsNever: boolean,
    exchange: Exchange,
  ): ReadableStream<Uint8Array> {
    inFlight.begin();
    const { stream, end } = watchStream(body, {
      onEnd() {
        endless.delete(end);
        exchange.stream?.close();
        inFlight.end();
      },
      onError: (error) => log(error, exchange, 'response stream failed'),
    });
    exchange.stream?.watch(end);
    if (endsNever) endless.add(end);
    return stream;
  }

  function complete(response: HttpResponse, exchange: Exchange): HttpResponse {
    const { request, requestId } = exchange;
    const rate = exchange.rate ?? limits.uncounted();
    const { headers } = response;
    headers['x-request-id'] = requestId;
    headers['x-content-type-options'] = 'nosniff';
    if (rate !== null) describeLimit(headers, rate);
    cors?.decorate(headers, request.header('origin'));
    if (exchange.pageOrigin !== null) decorateForPage(headers, exchange.pageOrigin);
    let { body } = response;
    if (request.method === 'HEAD') {
      if (body instanceof ReadableStream) body.cancel().catch(() => {});
      exchange.stream?.close();
      body = null;
    } else if (body instanceof ReadableStream) {
      body = watched(body, isEndless(response), exchange);
    }
    return { status: response.status, headers, body };
  }

  async function respond(request: HttpRequest, basePath: string, pathBelowApi: string | null): Promise<HttpResponse> {
    const requestId = requestIdOf(request.header('x-request-id'), clock);
    const exchange: Exchange = {
      request,
      basePath,
      pathBelowApi,
      requestId,
      rate: null,
      principal: null,
      pageOrigin: null,
      stream: null,
    };
    inFlight.begin();
    let response: HttpResponse;
    try {
      response = await dispatch(exchange);
    } catch (thrown) {
      response = refuse(thrown, exchange);
    }
    const completed = complete(response, exchange);
    inFlight.end();
    return completed;
  }

  /** Caches the last mount path, because most services have only one. */
  let lastMountPath = '';
  let lastBasePath = '';
  function basePathOf(mountPath: string): string {
    if (fixedBasePath !== null) return fixedBasePath;
    if (mountPath !== lastMountPath) {
      lastBasePath = toBasePath(mountPath);
      lastMountPath = mountPath;
    }
    return lastBasePath;
  }

  return {
    handle(request, mountPath = '') {
      const basePath = basePathOf(mountPath);
      return respond(request, basePath, belowApi(request.path, basePath));
    },

    async fetch(request, from) {
      const web = new WebRequest(request, { remoteAddress: remoteAddressOf(from) });
      const basePath = basePathOf('');
      const pathBelowApi = belowApi(web.path, basePath) ?? belowApi(web.path, '');
      const response = toResponse(await respond(web, basePath, pathBelowApi));
      void discardBody(request);
      return response;
    },

    hasConsole: options.console !== undefined,

    covers(path, mountPath = '') {
      const basePath = basePathOf(mountPath);
      const isOfApi = belowApi(path, basePath) !== null;
      return isOfApi || telephony.covers(path, basePath) || consolePage.covers(path, basePath);
    },

    upgrade(request, socket, head) {
      const basePaths = fixedBasePath === null ? new Set([publicBasePath, lastBasePath, '']) : [fixedBasePath];
      return telephony.upgrade(request, socket, head, basePaths);
    },

    async close() {
      isClosed = true;
      streams.close();
      telephony.close();
      for (const end of [...endless]) end();
      await inFlight.idle();
    },
  };
}

function isEndless(response: HttpResponse): boolean {
  return 'isEndless' in response && response.isEndless === true;
}
