import type { HandlerHost, Operations, Principal } from '@va/core';
import type { z } from 'zod';
import type { UploadSpec } from '../body/upload.ts';
import type { HttpAnswer } from '../engine/http-answer.ts';
import type { HttpRequest } from '../engine/http-request.ts';
import type { RouteLimit } from '../engine/rate-limits.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a route is given of its request. */
export interface RouteRequest<Params = Readonly<Record<string, string>>, Query = unknown, Body = unknown> {
  readonly host: HandlerHost;
  readonly operations: Operations;
  /** The path that the API is served under, up to and with `/api/v1`; for links. */
  readonly apiPath: string;
  /** Of the path, decoded. */
  readonly params: Params;
  /** As it was sent, a text for each parameter: the operation validates it. */
  readonly query: Query;
  /** The JSON of the body as it was sent: the operation validates it. Undefined on a route without one. */
  readonly body: Body;
  /** The bytes of the file that was sent; none on a route that takes none. */
  readonly file: AsyncIterable<Uint8Array>;
  readonly request: HttpRequest;
}

export interface ScopedRequest<Params = Readonly<Record<string, string>>, Query = unknown, Body = unknown>
  extends RouteRequest<Params, Query, Body> {
  readonly orgId: string;
  readonly principal: Principal;
}

/** An answer whose body is JSON. */
export interface JsonAnswer {
  readonly status: number;
  readonly json: unknown;
  /** Below `/api/v1`. */
  readonly location: string | null;
}

/** An answer that a route makes itself: bytes, a stream, or none. */
export interface RawAnswer extends HttpAnswer {
  /** Whether it goes on until somebody stops it, such as a stream of events: closing the handler then ends it. */
  readonly isEndless?: boolean;
}

export type RouteAnswer = JsonAnswer | RawAnswer;

/** An answer that is not JSON of a schema, as the API's description tells of it. */
export interface RawContent {
  readonly status: number;
  readonly description: string;
  /** Null for an answer without a body. */
  readonly mediaType: string | null;
  /** The JSON of each event of a stream. */
  readonly schema?: z.ZodType;
}

/** What is known of a route without carrying it out. */
export interface RouteFacts {
  readonly method: Method;
  /** Below `/api/v1`, with `:name` for a parameter. */
  readonly path: string;
  /** Other paths of the same route, with the same parameters. */
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly description: string | null;
  /** The operation parses what was sent; these schemas describe it. */
  readonly query: z.ZodType | null;
  readonly body: z.ZodType | UploadSpec | null;
  /** The statuses of a good answer; the first is the usual one. */
  readonly statuses: readonly number[];
  /** The JSON of a good answer. Null where the route answers otherwise, as `content` tells. */
  readonly answerSchema: z.ZodType | null;
  readonly content: readonly RawContent[];
  readonly hasLocation: boolean;
  /** What is special to the route: codes by status. */
  readonly errors: Readonly<Record<number, readonly string[]>>;
  /** Whether a good answer holds a secret that is shown this once. */
  readonly secret: boolean;
  /** Whether a good answer shows a secret that its record has sealed: an answer that is kept is sealed too. */
  readonly showsSecrets: boolean;
}

/** A route for everyone. */
export interface OpenRoute extends RouteFacts {
  readonly scope: null;
  /** A rate limit of the route, over all who ask. */
  limit?(request: Pick<RouteRequest, 'params'>): RouteLimit;
  answer(request: RouteRequest): Promise<RouteAnswer>;
}

/** A route for who holds the scope. */
export interface ScopedRoute extends RouteFacts {
  readonly scope: string;
  /** A rate limit of the route's own, beside that of the key. */
  limit?(request: Pick<RouteRequest, 'params'>): RouteLimit;
  answer(request: ScopedRequest): Promise<RouteAnswer>;
}

export type Route = OpenRoute | ScopedRoute;

/** The routes of the API by group and name. */
export type RouteGroups = Readonly<Record<string, Readonly<Record<string, Route>>>>;
