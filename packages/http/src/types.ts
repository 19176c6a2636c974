export type { Method, RawResponse, Route } from './route/route.ts';
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
} from './route/route-types.ts';
export type { RouteTable } from './routes/routes.ts';
