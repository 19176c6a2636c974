import { type HandlerHost, requireScope } from '@va/core/adapter';
import { nearer, type RateLimits, refuseExceeded } from '../limits/rate-limits.ts';
import type { HttpResponse } from '../message/http-response.ts';
import type { OpenRoute, ScopedRoute } from '../route/route.ts';
import { anyScope, takesIdempotencyKey } from '../route/route.ts';
import type { Cors } from './cors.ts';
import type { Exchange } from './exchange.ts';
import { refuseForgery } from './forgery.ts';
import { once, readIdempotencyKey, requestFingerprint } from './idempotency.ts';
import { type PageAdmission, refuseForeignPage } from './page-admission.ts';
import { apiPrefix } from './request/base-path.ts';
import { readPayload } from './request/payload.ts';
import { readQuery, refuseQuery } from './request/query.ts';
import { toHttpResponse } from './response/json-response.ts';

type PathParameters = Readonly<Record<string, string>>;

/** Checks before a route runs: rate limits, publishable keys and origins. */
export interface Guards {
  readonly limits: RateLimits;
  readonly pages: PageAdmission;
  readonly cors: Cors | null;
}

/**
 * Runs a route that needs no key.
 * @throws RequestError for faults of the client
 */
export async function serveOpen(
  host: HandlerHost,
  limits: RateLimits,
  route: OpenRoute,
  params: PathParameters,
  exchange: Exchange,
): Promise<HttpResponse> {
  const { request } = exchange;
  const limit = route.limit?.({ params });
  // A limit over all clients; it does not appear in the rate-limit headers, which describe the client's own limits.
  if (limit !== undefined) refuseExceeded(limits.take(null, limit));
  const apiPath = `${exchange.basePath}${apiPrefix}`;
  const query = readQuery(request.search);
  const payload = await readPayload(route, request);
  try {
    const { operations } = host;
    const { body, file } = payload;
    const response = await route.handle({ host, operations, apiPath, params, query, body, file, request });
    return toHttpResponse(response, route, request, apiPath);
  } finally {
    payload.close();
  }
}

/**
 * Runs a route that needs a key with its scope.
 * @throws RequestError for faults of the client
 */
export async function serveScoped(
  host: HandlerHost,
  { limits, pages, cors }: Guards,
  route: ScopedRoute,
  params: PathParameters,
  exchange: Exchange,
): Promise<HttpResponse> {
  const { request } = exchange;
  const principal = await host.authenticate({
    authorization: request.header('authorization'),
    toRequest: () => request.toRequest(),
  });
  const { orgId } = principal;
  refuseForgery(request, principal);
  exchange.principal = principal;
  const isPage = principal.publishableKey !== undefined;
  if (isPage) pages.admit(principal.publishableKey, route, exchange);
  else {
    exchange.rate = limits.takeRequest(principal);
    refuseExceeded(exchange.rate);
    if (route.scope !== anyScope) requireScope(principal, route.scope);
    refuseForeignPage(route, request, cors);
  }
  takeRouteLimit(limits, route, orgId, params, exchange);
  // Responses to pages with a publishable key are not stored: its visitors share the key, so that one could replay the
  // response of another and get the token in it.
  const isIdempotent = takesIdempotencyKey(route) && !isPage;
  const key = isIdempotent ? readIdempotencyKey(request.header('idempotency-key')) : null;
  const apiPath = `${exchange.basePath}${apiPrefix}`;
  const query = readQuery(request.search);
  if (route.query === null) refuseQuery(query);
  const payload = await readPayload(route, request);
  const run = async (): Promise<HttpResponse> => {
    const { operations } = host;
    const { body, file } = payload;
    const scoped = { host, operations, apiPath, params, query, body, file, request, orgId, principal };
    return toHttpResponse(await route.handle(scoped), route, request, apiPath);
  };
  try {
    if (key === null) return await run();
    const idempotent = {
      orgId,
      scope: `${route.method} ${exchange.pathBelowApi}`,
      key,
      // A response with a secret is replayed only to the credentials that it was created for: another API key of the
      // organization may lack scopes of an API key in the response.
      fingerprint: requestFingerprint(request.search, await payload.bytes(), route.secret ? principal : null),
      requestId: exchange.requestId,
      apiPath,
      secret: route.secret,
      showsSecrets: route.showsSecrets,
    };
    return await once(host.idempotency, host.logger, idempotent, run);
  } finally {
    payload.close();
  }
}

function takeRouteLimit(
  limits: RateLimits,
  route: ScopedRoute,
  orgId: string,
  params: PathParameters,
  exchange: Exchange,
): void {
  const limit = route.limit?.({ params });
  if (limit === undefined) return;
  const status = limits.take(orgId, limit);
  exchange.rate = nearer(exchange.rate, status);
  refuseExceeded(status);
}
