import type { Method, Route } from './route.ts';

/** The parameters in a path: `{ id: string }` for `/agents/:id`. */
export type PathParams<Path extends string> = { readonly [Name in ParamNames<Path>]: string };

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** What a caller has to know of a route. */
export interface RouteTypes {
  readonly method: Method;
  readonly path: string;
  readonly query: unknown;
  readonly body: unknown;
  /** What the operation returns. */
  readonly result: unknown;
  /** The key of the answer's body that the result is under; null where it is the body. */
  readonly wrap: string | null;
}

/** A route with the types of what goes in and out. `types` is never there: it exists for the compiler alone. */
export type DefinedRoute<Types extends RouteTypes> = Route & { readonly types?: Types };

type TypesOf<R> = R extends { readonly types?: infer Types } ? Exclude<Types, undefined> : never;

export type MethodOf<R> = TypesOf<R> extends infer T extends RouteTypes ? T['method'] : never;
export type PathOf<R> = TypesOf<R> extends infer T extends RouteTypes ? T['path'] : never;
export type ParamsOf<R> = PathParams<PathOf<R>>;
/** The query as a caller writes it. */
export type QueryOf<R> = TypesOf<R> extends infer T extends RouteTypes ? T['query'] : never;
/** The body as a caller writes it: what has a default may be left out. */
export type BodyOf<R> = TypesOf<R> extends infer T extends RouteTypes ? T['body'] : never;
/** What the operation gives back, out of its wrapping. */
export type ResultOf<R> = TypesOf<R> extends infer T extends RouteTypes ? T['result'] : never;
export type WrapOf<R> = TypesOf<R> extends infer T extends RouteTypes ? T['wrap'] : never;
/** The body of the answer. */
export type AnswerOf<R> =
  WrapOf<R> extends infer Wrap extends string ? { readonly [Key in Wrap]: ResultOf<R> } : ResultOf<R>;
