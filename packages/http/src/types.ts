export type { Method, RawResponse } from './routes/route.ts';
export type {
  BodyOf,
  MethodOf,
  ParamsOf,
  PathOf,
  PathParams,
  QueryOf,
  ResponseOf,
  ResultOf,
  WrapOf,
} from './routes/route-types.ts';
export type { RouteTable } from './routes/routes.ts';
