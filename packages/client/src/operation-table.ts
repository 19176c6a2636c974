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

/** An operation as the client carries it out. */
export interface Operation {
  /** The method, and the path below `/api/v1` with `:name` for a parameter. */
  readonly at: string;
  /** What comes after the ids among the arguments. */
  readonly takes?: 'query' | 'body';
  /** The key of the answer that the result is under; it is the whole answer by default. */
  readonly wrap?: string;
  /** The key of the answer that a page's records are under. */
  readonly pages?: string;
  /** What there is instead of a result. */
  readonly gives?: 'nothing' | 'stream';
}

/** The operations that the table of routes asks for. */
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
/** Whether the answer says no more than that it went well. */
export type IsEmpty<R> = { success: true } extends ResultOf<R> ? true : false;

type ListKey<Answer> = {
  [Key in keyof Answer]: Answer[Key] extends readonly unknown[] ? Key : never;
}[keyof Answer];

/** A record of a list. */
export type ItemOf<R> = ResponseOf<R>[ListKey<ResponseOf<R>>] extends readonly (infer Item)[] ? Item : never;
