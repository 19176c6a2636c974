import { z } from 'zod';
import type { UploadSpec } from '../body/upload.ts';
import type { RouteLimit } from '../engine/rate-limits.ts';
import type {
  JsonAnswer,
  Method,
  OpenRoute,
  RawAnswer,
  RawContent,
  RouteFacts,
  RouteRequest,
  ScopedRequest,
  ScopedRoute,
} from './route.ts';
import type { DefinedRoute, PathParams } from './route-types.ts';

interface Facts<M extends Method, Path extends string, Query, Body> {
  readonly method: M;
  /** Below `/api/v1`, with `:name` for a parameter. */
  readonly path: Path;
  readonly aliases?: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly query?: z.ZodType<unknown, Query>;
  /** A schema for JSON, or what kinds of file the route takes. The operation parses it. */
  readonly body?: z.ZodType<unknown, Body> | UploadSpec;
  /** What is special to the route: codes by status. The usual ones follow from its parts. */
  readonly errors?: Readonly<Record<number, readonly string[]>>;
  /** A good answer holds a secret: nothing keeps it, and a replay not in the clear. */
  readonly secret?: boolean;
  /** A good answer shows a secret that its record has sealed: a kept answer is sealed too, where there is a vault. */
  readonly showsSecrets?: boolean;
}

interface JsonFacts<Result, Wrap extends string | null> {
  readonly result: z.ZodType<Result>;
  /** The key of the body that the result goes under; absent where the result is the body. */
  readonly wrap?: Wrap;
  /** 200 by default. Where it depends on the result: all there are, the usual one first, and which it is. */
  readonly status?: number | { readonly anyOf: readonly [number, ...number[]]; of(result: NoInfer<Result>): number };
  /** Where the result is from now on, below `/api/v1`. */
  location?(result: NoInfer<Result>): string;
}

interface RawFacts {
  readonly content: readonly [RawContent, ...RawContent[]];
}

interface Scoped<Params> {
  readonly scope: string;
  /** A rate limit of the route's own, beside that of the key. */
  limit?(request: { readonly params: Params }): RouteLimit;
}

interface Open {
  readonly scope: null;
  /** A rate limit of the route, over all who ask. */
  limit?(): RouteLimit;
}

type NoBody = undefined;

/**
 * A route that answers with JSON. It is data: the engine does the rest.
 * @example
 * get: defineRoute({
 *   method: 'GET', path: '/agents/:id', scope: 'agents:read', summary: 'Get an agent', result: agentSchema, wrap: 'agent',
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
    answer: async (request) => toJsonAnswer(definition, await definition.run(asDefined(request))),
  };
  return route;
}

/** A route that answers with JSON, to everyone. */
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
    answer: async (request) => toJsonAnswer(definition, await definition.run(asDefined(request))),
  };
  return route;
}

/** A route that makes its answer itself: the bytes of a recording, a stream of events. */
export function defineRawRoute<const M extends Method, const Path extends string, Query = NoBody, Body = NoBody>(
  definition: Facts<M, Path, Query, Body> &
    RawFacts &
    Scoped<PathParams<Path>> & {
      run(request: ScopedRequest<PathParams<Path>, NoInfer<Query>, NoInfer<Body>>): Promise<RawAnswer>;
    },
): DefinedRoute<{ method: M; path: Path; query: Query; body: Body; result: RawAnswer; wrap: null }> {
  const route: ScopedRoute = {
    ...factsOf(definition),
    ...rawFactsOf(definition),
    ...scopeOf(definition),
    answer: (request) => definition.run(asDefined(request)),
  };
  return route;
}

/** A route that makes its answer itself, for everyone. */
export function defineOpenRawRoute<const M extends Method, const Path extends string>(
  definition: Facts<M, Path, NoBody, NoBody> &
    RawFacts &
    Open & { run(request: RouteRequest<PathParams<Path>, NoBody, NoBody>): Promise<RawAnswer> },
): DefinedRoute<{ method: M; path: Path; query: NoBody; body: NoBody; result: RawAnswer; wrap: null }> {
  const route: OpenRoute = {
    ...factsOf(definition),
    ...rawFactsOf(definition),
    scope: null,
    ...(definition.limit === undefined ? {} : { limit: definition.limit }),
    answer: (request) => definition.run(asDefined(request)),
  };
  return route;
}

type SharedFacts = Omit<RouteFacts, 'statuses' | 'answerSchema' | 'content' | 'hasLocation'>;
type AnswerFacts = Pick<RouteFacts, 'statuses' | 'answerSchema' | 'content' | 'hasLocation'>;

function factsOf(definition: Facts<Method, string, unknown, unknown>): SharedFacts {
  const { method, path, aliases = [], summary, description = null, errors = {}, secret = false } = definition;
  const { query = null, body = null, showsSecrets = false } = definition;
  return { method, path, aliases, summary, description, query, body, errors, secret, showsSecrets };
}

function scopeOf<Params>({ scope, limit }: Scoped<Params>): Pick<ScopedRoute, 'scope' | 'limit'> {
  return limit === undefined ? { scope } : { scope, limit: (request) => limit(withParams(request)) };
}

function jsonFactsOf<Result>(definition: JsonFacts<Result, string | null>): AnswerFacts {
  const { result, wrap, status = 200, location } = definition;
  return {
    statuses: typeof status === 'number' ? [status] : status.anyOf,
    answerSchema: typeof wrap === 'string' ? z.object({ [wrap]: result }) : result,
    content: [],
    hasLocation: location !== undefined,
  };
}

function rawFactsOf({ content }: RawFacts): AnswerFacts {
  const statuses = [...new Set(content.map(({ status }) => status))];
  return { statuses, answerSchema: null, content, hasLocation: false };
}

function toJsonAnswer<Result>(definition: JsonFacts<Result, string | null>, result: NoInfer<Result>): JsonAnswer {
  const { wrap, status = 200 } = definition;
  return {
    status: typeof status === 'number' ? status : status.of(result),
    json: typeof wrap === 'string' ? { [wrap]: result } : result,
    location: definition.location?.(result) ?? null,
  };
}

/** The router gives a route the parameters of its own path, which only the path's type tells. */
function withParams<Request extends Pick<RouteRequest, 'params'>, Params>(
  request: Request,
): Request & { readonly params: Params } {
  return request as Request & { readonly params: Params };
}

/**
 * The one place where what was sent gets the types of the route's schemas. Nothing is validated here: an operation validates its input,
 * for this layer and for a host that calls it.
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
