import type {
  BodyOf,
  MethodOf,
  PathOf,
  QueryOf,
  RawResponse,
  ResponseOf,
  ResultOf,
  RouteTable,
  WrapOf,
} from '@va/http/types';

/** The runtime description of an operation. */
export interface Operation {
  /** Method and path below `/api/v1`, with `:name` for a parameter. */
  readonly at: string;
  /** Kind of the argument after the ids. */
  readonly takes?: 'query' | 'body';
  /** Key of the response body that holds the result; by default the result is the whole body. */
  readonly wrap?: string;
  /** Key of the response body that holds the records of a page. */
  readonly pages?: string;
  /** Return value other than a JSON result. */
  readonly gives?: 'nothing' | 'stream';
}

/** The operations that correspond to the service's table of routes. */
export type OperationTable = {
  readonly [Group in keyof RouteTable]: {
    readonly [Name in keyof RouteTable[Group]]: OperationOf<RouteTable[Group][Name]>;
  };
};

type OperationOf<R> = { readonly at: `${MethodOf<R>} ${PathOf<R>}` } & Takes<R> & Wraps<R> & Pages<R> & Gives<R>;

type Nothing = Readonly<Record<never, never>>;
type Takes<R> = [BodyOf<R>] extends [undefined]
  ? [QueryOf<R>] extends [undefined]
    ? Nothing
    : { readonly takes: 'query' }
  : { readonly takes: 'body' };
type Wraps<R> = [WrapOf<R>] extends [null] ? Nothing : { readonly wrap: WrapOf<R> };
type Pages<R> = IsPaged<R> extends true ? { readonly pages: ListKey<ResponseOf<R>> } : Nothing;
type Gives<R> =
  ResultOf<R> extends RawResponse
    ? { readonly gives: 'stream' }
    : IsEmpty<R> extends true
      ? { readonly gives: 'nothing' }
      : Nothing;

export type IsPaged<R> = QueryOf<R> extends { offset?: number | undefined } ? true : false;
/** True if the response only reports success. */
export type IsEmpty<R> = { success: true } extends ResultOf<R> ? true : false;

type ListKey<Answer> = {
  [Key in keyof Answer]: Answer[Key] extends readonly unknown[] ? Key : never;
}[keyof Answer];

/** Type of the records in a list response; `never` for other responses. */
export type RecordOf<R> = ResponseOf<R>[ListKey<ResponseOf<R>>] extends readonly (infer Item)[] ? Item : never;
