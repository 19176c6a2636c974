export type { Method, RawAnswer } from './routes/route.ts';
export type {
  AnswerOf,
  BodyOf,
  MethodOf,
  ParamsOf,
  PathOf,
  PathParams,
  QueryOf,
  ResultOf,
  WrapOf,
} from './routes/route-types.ts';
export type { RouteTable } from './routes/routes.ts';
