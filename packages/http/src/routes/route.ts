import type { HandlerHost, Principal } from '@va/core';
import type { z } from 'zod';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** What a route is given of its request. */
export interface RouteRequest {
  readonly host: HandlerHost;
  /** The path that the API is served under, up to and with `/api/v1`; for links. */
  readonly apiPath: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The JSON of the body, as it was written; undefined on a route without one. */
  readonly body: unknown;
  readonly request: Request;
}

export interface ScopedRequest extends RouteRequest {
  readonly principal: Principal;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface RouteFacts {
  readonly method: Method;
  /** Below `/api/v1`, with `:name` for a parameter. */
  readonly path: string;
  /** Present where the request has a JSON body. The operation parses it; the schema describes it. */
  readonly body?: z.ZodType;
  /** The JSON of a successful answer; null where it is not JSON. */
  readonly response: z.ZodType | null;
}

/** A route for everyone. */
export interface OpenRoute extends RouteFacts {
  readonly scope: null;
  handle(request: RouteRequest): Promise<Answer | Response>;
}

/** A route for who holds the scope. */
export interface ScopedRoute extends RouteFacts {
  readonly scope: string;
  handle(request: ScopedRequest): Promise<Answer | Response>;
}

export type Route = OpenRoute | ScopedRoute;
