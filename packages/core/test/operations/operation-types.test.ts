import { describe, expect, expectTypeOf, it } from 'vitest';
import type { NewAgent } from '../../src/domain/agents/agent.ts';
import type { Operations } from '../../src/operations/operations.ts';
import { orgId, refusal, testOperations } from './support.ts';

type Group = { readonly [Name in keyof Operations]: Operations[Name] };
/** The names of operations with a parameter of type unknown. */
type Untyped = {
  [Name in keyof Group]: {
    [Method in keyof Group[Name]]: Group[Name][Method] extends (...args: infer Args) => unknown
      ? true extends { [N in keyof Args]: unknown extends Args[N] ? true : false }[number]
        ? `${Name}.${Method & string}`
        : never
      : never;
  }[keyof Group[Name]];
}[keyof Group];

describe('the inputs of operations', () => {
  it('all have a type', () => {
    expectTypeOf<Untyped>().toEqualTypeOf<never>();
    expectTypeOf<Operations['agents']['create']>().parameter(1).toEqualTypeOf<NewAgent>();
  });

  it('match the schemas: the compiler and the validation refuse a misspelled nested setting', async () => {
    const { operations } = testOperations();
    const refused = [
      // @ts-expect-error the field is called name
      operations.agents.create(orgId, { nam: 'typo' }),
      // @ts-expect-error the field is called min_delay_ms
      operations.agents.create(orgId, { name: 'A', speech_config: { endpointing: { min_delay: 3 } } }),
      // @ts-expect-error a query has limit and offset
      operations.agents.list(orgId, { page: 2 }),
      // @ts-expect-error there is no such direction
      operations.calls.list(orgId, { direction: 'sideways' }),
      // @ts-expect-error there is no such event
      operations.agents.create(orgId, { name: 'A', webhook_events: ['call-ended'] }),
      // @ts-expect-error the field is called minutes_balance
      operations.organizations.create({ name: 'Acme', minutes: 3 }),
    ];
    for (const each of refused) expect((await refusal(each)).status).toBe(400);
    expectTypeOf<{ to: string }>().not.toExtend<Parameters<Operations['calls']['place']>[1]>();
  });

  it('may omit fields that have a default', async () => {
    const { operations } = testOperations();
    await operations.agents.create(orgId, { name: 'A', speech_config: { endpointing: { min_delay_ms: 300 } } });
    await operations.agents.list(orgId, { limit: 10 });
  });
});
