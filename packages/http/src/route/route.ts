import type { Operations, Principal } from '@va/core';
import type { HandlerHost } from '@va/core/adapter';
import type { z } from 'zod';
import type { UploadSpec } from '../body/upload.ts';
import type { RouteLimit } from '../limits/rate-limits.ts';
import type { HttpRequest } from '../message/http-request.ts';
import type { HttpResponse } from '../message/http-response.ts';

/** Scope of a route that takes any valid credentials. */
export const anyScope = 'any';

/** HTTP methods of routes. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The parts of a request that a route receives. */
export interface RouteRequest<Params = Readonly<Record<string, string>>, Query = unknown, Body = unknown> {
  readonly host: HandlerHost;
  readonly operations: Operations;
  /** The path that the API is served under, up to and including `/api/v1`, for links. */
  readonly apiPath: string;
  /** Decoded parameters of the path. */
  readonly params: Params;
  /** Unvalidated query parameters; the operation validates them. */
  readonly query: Query;
  /** Unvalidated JSON body; the operation validates it. Undefined on a route without a body. */
  readonly body: Body;
  /** The bytes of the uploaded file; empty on a route without one. */
  readonly file: AsyncIterable<Uint8Array>;
  readonly request: HttpRequest;
}

/** The parts of an authenticated request that a route receives. */
export interface ScopedRequest<Params = Readonly<Record<string, string>>, Query = unknown, Body = unknown>
  extends RouteRequest<Params, Query, Body> {
  readonly orgId: string;
  readonly principal: Principal;
}

/** A response with a JSON body. */
export interface JsonResponse {
  readonly status: number;
  readonly json: unknown;
  /** Path below `/api/v1`, for the `Location` header. */
  readonly location: string | null;
}

/** A response that a route creates itself: bytes, a stream, or an empty one. */
export interface RawResponse extends HttpResponse {
  /** True for a stream without an end, such as events: closing the handler ends it. */
  readonly isEndless?: boolean;
}

/** The result of a route: JSON that the engine serializes, or a complete response. */
export type RouteResponse = JsonResponse | RawResponse;

/** Description of a response other than JSON of a schema, for the OpenAPI document. */
export interface RawContent {
  readonly status: number;
  readonly description: string;
  /** Null for a response without a body. */
  readonly mediaType: string | null;
  /** Schema of the JSON in each event of a stream. */
  readonly schema?: z.ZodType;
}

/** The static description of a route. */
export interface RouteFacts {
  readonly method: Method;
  /** Path below `/api/v1`, with `:name` for a parameter. */
  readonly path: string;
  /** Alternative paths with the same parameters. */
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly description: string | null;
  /** Describes the query for the OpenAPI document; the operation parses it. */
  readonly query: z.ZodType | null;
  readonly body: z.ZodType | UploadSpec | null;
  /** Statuses of a successful response, the usual one first. */
  readonly statuses: readonly number[];
  /** Schema of a successful JSON response; null if the route responds with `content`. */
  readonly responseSchema: z.ZodType | null;
  readonly content: readonly RawContent[];
  readonly hasLocation: boolean;
  /** Error codes by status, in addition to those implied by the route's parts. */
  readonly errors: Readonly<Record<number, readonly string[]>>;
  /** True if a successful response contains a secret that is shown only once. */
  readonly secret: boolean;
  /**
   * True if a successful response shows a secret of its record: a response stored for replay is encrypted if there is a
   * vault.
   */
  readonly showsSecrets: boolean;
  /** True if pages may send the request with a publishable key, whose limits the operation then applies. */
  readonly admitsPages: boolean;
}

/** A route that needs no key. */
export interface OpenRoute extends RouteFacts {
  readonly scope: null;
  /** A rate limit of the route over all clients. */
  limit?(request: Pick<RouteRequest, 'params'>): RouteLimit;
  handle(request: RouteRequest): Promise<RouteResponse>;
}

/** A route that needs a key with the given scope. */
export interface ScopedRoute extends RouteFacts {
  readonly scope: string;
  /** A rate limit of the route, in addition to the one per key. */
  limit?(request: Pick<RouteRequest, 'params'>): RouteLimit;
  handle(request: ScopedRequest): Promise<RouteResponse>;
}

/** A route of the API. */
export type Route = OpenRoute | ScopedRoute;

/** The routes of the API by group and name. */
export type RouteGroups = Readonly<Record<string, Readonly<Record<string, Route>>>>;

/**
 * Returns true if responses of a route are stored under an `Idempotency-Key`. A POST that responds with bytes is a
 * query with a body: it changes nothing, and its response would be too large to store.
 */
export function takesIdempotencyKey({ method, scope, responseSchema }: Route): boolean {
  return method === 'POST' && scope !== null && responseSchema !== null;
}
