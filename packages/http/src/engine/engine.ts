import { type HandlerHost, toError } from '@va/core';
import type { RouteGroups } from '../routes/route.ts';
import { discardRest } from '../web/discard-rest.ts';
import { toResponse } from '../web/to-response.ts';
import { WebRequest } from '../web/web-request.ts';
import { apiPrefix, belowApi, toBasePath } from './base-path.ts';
import { Cors } from './cors.ts';
import { errorAnswer, HttpError, toRequestError } from './error-answer.ts';
import type { Exchange } from './exchange.ts';
import type { Handler, HandlerOptions } from './handler.ts';
import type { HttpAnswer } from './http-answer.ts';
import type { HttpRequest } from './http-request.ts';
import { InFlight } from './in-flight.ts';
import { OpenStreams, streamLimits } from './open-streams.ts';
import { describeLimit, RateLimits } from './rate-limits.ts';
import { requestIdOf } from './request-id.ts';
import { Router } from './router.ts';
import { serveOpen, serveScoped } from './serve-route.ts';
import { watchStream } from './watched-stream.ts';

/** Serves routes: finds the one for a request, carries it out, and gives every answer what all answers have. */
export function createEngine(host: HandlerHost, groups: RouteGroups, options: HandlerOptions): Handler {
  const { logger, clock } = host;
  const router = new Router(Object.values(groups).flatMap((group) => Object.values(group)));
  const limits = new RateLimits(clock, options.rateLimits);
  const cors = options.cors === undefined ? null : new Cors(options.cors, logger);
  const fixedBasePath = options.basePath === undefined ? null : toBasePath(options.basePath);
  const inFlight = new InFlight();
  const streams = new OpenStreams(host, streamLimits(options.rateLimits));
  const endless = new Set<() => void>();
  let isClosed = false;

  async function dispatch(exchange: Exchange): Promise<HttpAnswer> {
    const { request, pathBelowApi } = exchange;
    if (isClosed) throw new HttpError(503, 'unavailable', 'The service is shutting down.', { 'retry-after': '5' });
    const match = pathBelowApi === null ? null : router.match(request.method, pathBelowApi);
    if (match === null) {
      throw new HttpError(404, 'route_not_found', `There is nothing at ${request.path.slice(0, 256)}.`, {});
    }
    if ('route' in match) {
      const { route, params } = match;
      if (route.scope === null) return await serveOpen(host, limits, route, params, exchange);
      const answer = await serveScoped(host, limits, route, params, exchange);
      return isEndless(answer) ? admit(answer, route.scope, exchange) : answer;
    }
    const allow = [...match.methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'];
    return answerOptions(request, allow.join(', '));
  }

  /** @throws RequestError 429 `too_many_streams` */
  function admit(answer: HttpAnswer, scope: string, exchange: Exchange): HttpAnswer {
    const { principal, request } = exchange;
    if (principal === null) return answer;
    const credentials = { authorization: request.header('authorization'), toRequest: () => request.toRequest() };
    try {
      exchange.stream = streams.admit(principal, credentials, scope);
      return answer;
    } catch (thrown) {
      if (answer.body instanceof ReadableStream) answer.body.cancel().catch(() => {});
      throw thrown;
    }
  }

  function answerOptions(request: HttpRequest, allow: string): HttpAnswer {
    if (request.method !== 'OPTIONS') {
      throw new HttpError(405, 'method_not_allowed', `${request.method} is not among ${allow}.`, { allow });
    }
    const headers: Record<string, string> = { allow };
    cors?.preflight(headers, request.header('origin'), allow);
    return { status: 204, headers, body: null };
  }

  function refuse(thrown: unknown, exchange: Exchange): HttpAnswer {
    const error = toRequestError(thrown);
    if (error.status === 500) log(thrown, exchange, 'a request failed');
    return errorAnswer(error, exchange.request.header('accept'), exchange.requestId);
  }

  /** What fails because its client has gone is no failure of the service. */
  function log(thrown: unknown, { request, requestId, basePath, pathBelowApi }: Exchange, message: string): void {
    const path = pathBelowApi === null ? request.path : `${basePath}${apiPrefix}${pathBelowApi}`;
    const fields = { requestId, method: request.method, path, err: toError(thrown) };
    if (request.gone) logger.debug(fields, message);
    else logger.error(fields, message);
  }

  /** Sees a stream through: it is work until its end, and nobody hears of its failure but the log. */
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
      onError: (error) => log(error, exchange, 'an answer broke off'),
    });
    exchange.stream?.watch(end);
    if (endsNever) endless.add(end);
    return stream;
  }

  function complete(answer: HttpAnswer, exchange: Exchange): HttpAnswer {
    const { request, requestId } = exchange;
    const rate = exchange.rate ?? limits.uncounted();
    const { headers } = answer;
    headers['x-request-id'] = requestId;
    headers['x-content-type-options'] = 'nosniff';
    if (rate !== null) describeLimit(headers, rate);
    cors?.decorate(headers, request.header('origin'));
    let { body } = answer;
    if (request.method === 'HEAD') {
      if (body instanceof ReadableStream) body.cancel().catch(() => {});
      exchange.stream?.close();
      body = null;
    } else if (body instanceof ReadableStream) {
      body = watched(body, isEndless(answer), exchange);
    }
    return { status: answer.status, headers, body };
  }

  async function answer(request: HttpRequest, basePath: string, pathBelowApi: string | null): Promise<HttpAnswer> {
    const requestId = requestIdOf(request.header('x-request-id'), clock);
    const exchange: Exchange = {
      request,
      basePath,
      pathBelowApi,
      requestId,
      rate: null,
      principal: null,
      stream: null,
    };
    inFlight.begin();
    let answered: HttpAnswer;
    try {
      answered = await dispatch(exchange);
    } catch (thrown) {
      answered = refuse(thrown, exchange);
    }
    const completed = complete(answered, exchange);
    inFlight.end();
    return completed;
  }

  /** The same mount comes again and again. */
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
    answer(request, mountPath = '') {
      const basePath = basePathOf(mountPath);
      return answer(request, basePath, belowApi(request.path, basePath));
    },

    async fetch(request) {
      const web = new WebRequest(request);
      const basePath = basePathOf('');
      const pathBelowApi = belowApi(web.path, basePath) ?? belowApi(web.path, '');
      const response = toResponse(await answer(web, basePath, pathBelowApi));
      void discardRest(request);
      return response;
    },

    covers: (path, mountPath = '') => belowApi(path, basePathOf(mountPath)) !== null,

    async close() {
      isClosed = true;
      streams.close();
      for (const end of [...endless]) end();
      await inFlight.idle();
    },
  };
}

function isEndless(answer: HttpAnswer): boolean {
  return 'isEndless' in answer && answer.isEndless === true;
}
