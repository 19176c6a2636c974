import { requireScope } from '@va/core';
import { readJson } from '../body/json-body.ts';
import { collect } from '../body/request-body.ts';
import { openUpload } from '../body/upload.ts';
import type { Route, RouteAnswer, RouteRequest, ScopedRequest, ScopedRoute } from '../routes/route.ts';
import { authenticate } from './authenticate.ts';
import { apiPrefix } from './base-path.ts';
import type { Exchange } from './exchange.ts';
import type { HttpHost } from './handler.ts';
import type { HttpAnswer } from './http-answer.ts';
import { fingerprintOf, once, readIdempotencyKey } from './idempotency.ts';
import { toHttpAnswer } from './json-answer.ts';
import { readQuery } from './query.ts';
import { type Caller, nearer, type RateLimits, refuseExceeded } from './rate-limits.ts';
import type { RouteMatch } from './router.ts';

/** Carries a route out. Throws `RequestError` for what the caller did wrong. */
export async function serveRoute(
  host: HttpHost,
  limits: RateLimits,
  { route, params }: RouteMatch,
  exchange: Exchange,
): Promise<HttpAnswer> {
  const { request } = exchange;
  const apiPath = `${exchange.basePath}${apiPrefix}`;
  const toAnswer = (answer: RouteAnswer): HttpAnswer => toHttpAnswer(answer, route, request, apiPath);
  const common: Omit<RouteRequest, 'query'> = {
    host,
    operations: host.operations,
    apiPath,
    params,
    body: undefined,
    file: noFile,
    request,
  };
  if (route.scope === null) {
    return await withBody(route, exchange, async ({ body, file }) =>
      toAnswer(await route.answer({ ...common, query: readQuery(request.search), body, file })),
    );
  }
  const caller: Caller = await authenticate(host, {
    authorization: request.header('authorization'),
    toRequest: () => request.toRequest(),
  });
  const { orgId } = caller;
  exchange.rate = limits.takeRequest(caller);
  refuseExceeded(exchange.rate);
  requireScope(caller, route.scope);
  const scoped: ScopedRequest = { ...common, query: readQuery(request.search), orgId, principal: caller };
  takeRouteLimit(limits, route, scoped, exchange);
  if (route.method === 'GET') return toAnswer(await route.answer(scoped));
  return await withBody(route, exchange, async (sent) => {
    const run = async (file: AsyncIterable<Uint8Array>): Promise<HttpAnswer> =>
      toAnswer(await route.answer({ ...scoped, body: sent.body, file }));
    const key = route.method === 'POST' ? readIdempotencyKey(request.header('idempotency-key')) : null;
    if (key === null || host.idempotency === undefined) return await run(sent.file);
    // A form is sent again with another boundary: what counts is its file.
    const bytes = sent.isFile ? await collect(sent.file) : await sent.bytes();
    const idempotent = {
      orgId,
      scope: `${route.method} ${exchange.pathBelowApi}`,
      key,
      fingerprint: fingerprintOf(request.search, bytes),
      accept: request.header('accept'),
      requestId: exchange.requestId,
      apiPath,
      secret: route.secret,
    };
    return await once(host.idempotency, host.logger, idempotent, () => run(sent.isFile ? one(bytes) : sent.file));
  });
}

function takeRouteLimit(limits: RateLimits, route: ScopedRoute, request: ScopedRequest, exchange: Exchange): void {
  const limit = route.limit(request);
  if (limit === null) return;
  const status = limits.take(request.orgId, limit);
  exchange.rate = nearer(exchange.rate, status);
  refuseExceeded(status);
}

/** What came with a request. */
interface Sent {
  readonly body: unknown;
  readonly file: AsyncIterable<Uint8Array>;
  readonly isFile: boolean;
  bytes(): Promise<Uint8Array>;
}

const noBytes = new Uint8Array();
const noFile: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: () => none() };
const nothing: Sent = { body: undefined, file: noFile, isFile: false, bytes: async () => noBytes };

async function* none(): AsyncGenerator<Uint8Array> {}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function withBody(
  { body }: Route,
  { request }: Exchange,
  run: (sent: Sent) => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
  if (body === null) return await run(nothing);
  if (!('kinds' in body)) {
    const { value, bytes } = await readJson(request);
    return await run({ body: value, file: noFile, isFile: false, bytes });
  }
  const { file, close } = await openUpload(request, body);
  try {
    return await run({ body: undefined, file, isFile: true, bytes: async () => noBytes });
  } finally {
    close();
  }
}
