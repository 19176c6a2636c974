export type { Method, RawResponse } from './routes/define/route.ts';
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
} from './routes/define/route-types.ts';
export type { RouteTable } from './routes/routes.ts';
