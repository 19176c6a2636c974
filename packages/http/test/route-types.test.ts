import type { Agent, Call, NewAgent } from '@va/core';
import { describe, expectTypeOf, it } from 'vitest';
import type {
  BodyOf,
  MethodOf,
  ParamsOf,
  PathOf,
  QueryOf,
  ResponseOf,
  ResultOf,
  RouteTable,
  WrapOf,
} from '../src/types.ts';

type Agents = RouteTable['agents'];
type Calls = RouteTable['calls'];

describe('the types of the route table', () => {
  it('give the inputs and results of routes', () => {
    expectTypeOf<ResultOf<Agents['get']>>().toEqualTypeOf<Agent>();
    expectTypeOf<ResultOf<Agents['list']>>().toEqualTypeOf<Agent[]>();
    expectTypeOf<BodyOf<Agents['create']>>().toEqualTypeOf<NewAgent>();
    expectTypeOf<BodyOf<Agents['get']>>().toEqualTypeOf<undefined>();
    expectTypeOf<QueryOf<Agents['list']>>().toEqualTypeOf<{
      limit?: number | undefined;
      offset?: number | undefined;
    }>();
    expectTypeOf<QueryOf<Calls['list']>>().toHaveProperty('status').toEqualTypeOf<string | undefined>();
  });

  it('give the methods, paths and parameters of routes', () => {
    expectTypeOf<MethodOf<Agents['update']>>().toEqualTypeOf<'PATCH'>();
    expectTypeOf<PathOf<Calls['recording']>>().toEqualTypeOf<'/calls/:id/recording'>();
    expectTypeOf<ParamsOf<Calls['recording']>>().toEqualTypeOf<{ readonly id: string }>();
    expectTypeOf<keyof ParamsOf<Agents['list']>>().toEqualTypeOf<never>();
  });

  it('give the response bodies of routes', () => {
    expectTypeOf<WrapOf<Agents['get']>>().toEqualTypeOf<'agent'>();
    expectTypeOf<ResponseOf<Agents['get']>>().toEqualTypeOf<{ readonly agent: Agent }>();
    expectTypeOf<WrapOf<Calls['get']>>().toEqualTypeOf<null>();
    expectTypeOf<ResponseOf<Calls['get']>>().toEqualTypeOf<Call>();
  });
});
