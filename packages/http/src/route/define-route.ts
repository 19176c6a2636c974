import { z } from 'zod';
import type { UploadSpec } from '../body/upload.ts';
import type { RouteLimit } from '../limits/rate-limits.ts';
import type {
  JsonResponse,
  Method,
  OpenRoute,
  RawContent,
  RawResponse,
  RouteFacts,
  RouteRequest,
  ScopedRequest,
  ScopedRoute,
} from './route.ts';
import type { DefinedRoute, PathParams } from './route-types.ts';

interface Facts<M extends Method, Path extends string, Query, Body> {
  readonly method: M;
  /** Path below `/api/v1`, with `:name` for a parameter. */
  readonly path: Path;
  readonly aliases?: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly query?: z.ZodType<unknown, Query>;
  /** A schema for JSON, or the accepted kinds of file. The operation parses it. */
  readonly body?: z.ZodType<unknown, Body> | UploadSpec;
  /** Error codes by status, in addition to those implied by the route's parts. */
  readonly errors?: Readonly<Record<number, readonly string[]>>;
  /** True if a successful response contains a new secret: it is never cached, and stored for replay only encrypted. */
  readonly secret?: boolean;
  /**
   * True if a successful response shows a secret of its record: a response stored for replay is encrypted if there is a
   * vault.
   */
  readonly showsSecrets?: boolean;
  /** True if pages may send the request with a publishable key, whose limits the operation then applies. */
  readonly admitsPages?: boolean;
}

interface JsonFacts<Result, Wrap extends string | null> {
  readonly result: z.ZodType<Result>;
  /** The key of the body that holds the result; absent if the result is the body. */
  readonly wrap?: Wrap;
  /**
   * Status of a successful response, 200 by default. If it depends on the result: all possible values, the usual one
   * first, and a function that selects one.
   */
  readonly status?: number | { readonly anyOf: readonly [number, ...number[]]; of(result: NoInfer<Result>): number };
  /** Returns the path of the resource below `/api/v1`, for the `Location` header. */
  location?(result: NoInfer<Result>): string;
}

interface RawFacts {
  readonly content: readonly [RawContent, ...RawContent[]];
}

interface Scoped<Params> {
  readonly scope: string;
  /** A rate limit of the route, in addition to the one per key. */
  limit?(request: { readonly params: Params }): RouteLimit;
}

interface Open {
  readonly scope: null;
  /** A rate limit of the route over all clients. */
  limit?(): RouteLimit;
}

type NoBody = undefined;

/**
 * Defines a route that returns JSON. A route is data; the engine serves it.
 * @example
 * get: defineRoute({
 *   method: 'GET',
 *   path: '/agents/:id',
 *   scope: 'agents:read',
 *   summary: 'Get an agent',
 *   result: agentSchema,
 *   wrap: 'agent',
 *   run: ({ operations, orgId, params }) => operations.agents.get(orgId, params.id),
 * })
 */
export function defineRoute<
  const M extends Method,
  const Path extends string,
  Result,
  const Wrap extends string | null = null,
  Query = NoBody,
  Body = NoBody,
>(
  definition: Facts<M, Path, Query, Body> &
    JsonFacts<Result, Wrap> &
    Scoped<PathParams<Path>> & {
      run(request: ScopedRequest<PathParams<Path>, NoInfer<Query>, NoInfer<Body>>): Promise<NoInfer<Result>>;
    },
): DefinedRoute<{ method: M; path: Path; query: Query; body: Body; result: Result; wrap: Wrap }> {
  const route: ScopedRoute = {
    ...factsOf(definition),
    ...jsonFactsOf(definition),
    ...scopeOf(definition),
    handle: async (request) => toJsonResponse(definition, await definition.run(asDefined(request))),
  };
  return route;
}

/** Defines a route that returns JSON and needs no key. */
export function defineOpenRoute<
  const M extends Method,
  const Path extends string,
  Result,
  const Wrap extends string | null = null,
  Query = NoBody,
  Body = NoBody,
>(
  definition: Facts<M, Path, Query, Body> &
    JsonFacts<Result, Wrap> &
    Open & { run(request: RouteRequest<PathParams<Path>, NoInfer<Query>, NoInfer<Body>>): Promise<NoInfer<Result>> },
): DefinedRoute<{ method: M; path: Path; query: Query; body: Body; result: Result; wrap: Wrap }> {
  const route: OpenRoute = {
    ...factsOf(definition),
    ...jsonFactsOf(definition),
    scope: null,
    handle: async (request) => toJsonResponse(definition, await definition.run(asDefined(request))),
  };
  return route;
}

/** Defines a route that creates its response itself, such as the bytes of a recording or an event stream. */
export function defineRawRoute<const M extends Method, const Path extends string, Query = NoBody, Body = NoBody>(
  definition: Facts<M, Path, Query, Body> &
    RawFacts &
    Scoped<PathParams<Path>> & {
      run(request: ScopedRequest<PathParams<Path>, NoInfer<Query>, NoInfer<Body>>): Promise<RawResponse>;
    },
): DefinedRoute<{ method: M; path: Path; query: Query; body: Body; result: RawResponse; wrap: null }> {
  const route: ScopedRoute = {
    ...factsOf(definition),
    ...rawFactsOf(definition),
    ...scopeOf(definition),
    handle: (request) => definition.run(asDefined(request)),
  };
  return route;
}

/** Defines a route that creates its response itself and needs no key. */
export function defineOpenRawRoute<const M extends Method, const Path extends string>(
  definition: Facts<M, Path, NoBody, NoBody> &
    RawFacts &
    Open & { run(request: RouteRequest<PathParams<Path>, NoBody, NoBody>): Promise<RawResponse> },
): DefinedRoute<{ method: M; path: Path; query: NoBody; body: NoBody; result: RawResponse; wrap: null }> {
  const route: OpenRoute = {
    ...factsOf(definition),
    ...rawFactsOf(definition),
    scope: null,
    ...(definition.limit === undefined ? {} : { limit: definition.limit }),
    handle: (request) => definition.run(asDefined(request)),
  };
  return route;
}

type SharedFacts = Omit<RouteFacts, 'statuses' | 'responseSchema' | 'content' | 'hasLocation'>;
type ResponseFacts = Pick<RouteFacts, 'statuses' | 'responseSchema' | 'content' | 'hasLocation'>;

function factsOf(definition: Facts<Method, string, unknown, unknown>): SharedFacts {
  const { method, path, aliases = [], summary, description = null, errors = {}, secret = false } = definition;
  const { query = null, body = null, showsSecrets = false, admitsPages = false } = definition;
  return { method, path, aliases, summary, description, query, body, errors, secret, showsSecrets, admitsPages };
}

function scopeOf<Params>({ scope, limit }: Scoped<Params>): Pick<ScopedRoute, 'scope' | 'limit'> {
  return limit === undefined ? { scope } : { scope, limit: (request) => limit(withParams(request)) };
}

function jsonFactsOf<Result>(definition: JsonFacts<Result, string | null>): ResponseFacts {
  const { result, wrap, status = 200, location } = definition;
  return {
    statuses: typeof status === 'number' ? [status] : status.anyOf,
    responseSchema: typeof wrap === 'string' ? z.object({ [wrap]: result }) : result,
    content: [],
    hasLocation: location !== undefined,
  };
}

function rawFactsOf({ content }: RawFacts): ResponseFacts {
  const statuses = [...new Set(content.map(({ status }) => status))];
  return { statuses, responseSchema: null, content, hasLocation: false };
}

function toJsonResponse<Result>(definition: JsonFacts<Result, string | null>, result: NoInfer<Result>): JsonResponse {
  const { wrap, status = 200 } = definition;
  return {
    status: typeof status === 'number' ? status : status.of(result),
    json: typeof wrap === 'string' ? { [wrap]: result } : result,
    location: definition.location?.(result) ?? null,
  };
}

/** Narrows the parameters to those of the route's path, which only its type knows. */
function withParams<Request extends Pick<RouteRequest, 'params'>, Params>(
  request: Request,
): Request & { readonly params: Params } {
  return request as Request & { readonly params: Params };
}

/**
 * Gives unvalidated input the types of the route's schemas, in this one place. The operation validates its input, both
 * for this layer and for a host that calls it directly.
 */
function asDefined<Request extends RouteRequest, Params, Query, Body>(
  request: Request,
): Omit<Request, 'params' | 'query' | 'body'> & {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
} {
  return request as Request & { readonly params: Params; readonly query: Query; readonly body: Body };
}
