import type { Method, Route } from './route.ts';

/** The parameters of a path: `{ id: string }` for `/agents/:id`. */
export type PathParams<Path extends string> = { readonly [Name in ParamNames<Path>]: string };

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The types of a route that a client needs. */
interface RouteTypes {
  readonly method: Method;
  readonly path: string;
  readonly query: unknown;
  readonly body: unknown;
  /** The return type of the operation. */
  readonly result: unknown;
  /** The key of the response body that holds the result; null if the result is the body. */
  readonly wrap: string | null;
}

/** A route with its input and output types. `types` is never set: it exists for the compiler only. */
export type DefinedRoute<Types extends RouteTypes> = Route & { readonly types?: Types };

type TypesOf<R> = R extends { readonly types?: infer Types } ? Exclude<Types, undefined> : never;

/** The method of a route. */
export type MethodOf<R> = TypesOf<R> extends infer T extends RouteTypes ? T['method'] : never;
/** The path of a route below `/api/v1`, with `:name` for a parameter. */
export type PathOf<R> = TypesOf<R> extends infer T extends RouteTypes ? T['path'] : never;
/** The parameters of a route's path. */
export type ParamsOf<R> = PathParams<PathOf<R>>;
/** The query that a caller writes. */
export type QueryOf<R> = TypesOf<R> extends infer T extends RouteTypes ? T['query'] : never;
/** The body that a caller writes; fields with defaults are optional. */
export type BodyOf<R> = TypesOf<R> extends infer T extends RouteTypes ? T['body'] : never;
/** The return type of the operation, unwrapped. */
export type ResultOf<R> = TypesOf<R> extends infer T extends RouteTypes ? T['result'] : never;
/** The key of the response body that holds the result; null if the result is the body. */
export type WrapOf<R> = TypesOf<R> extends infer T extends RouteTypes ? T['wrap'] : never;
/** The response body. */
export type ResponseOf<R> =
  WrapOf<R> extends infer Wrap extends string ? { readonly [Key in Wrap]: ResultOf<R> } : ResultOf<R>;
