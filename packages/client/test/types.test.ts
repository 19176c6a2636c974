import type * as core from '@va/core';
import { describe, expectTypeOf, it } from 'vitest';
import type {
  Agent,
  BulkResult,
  Call,
  CallEvent,
  CallEventData,
  CallQuery,
  CampaignProgress,
  Client,
  ControlAnswer,
  Lead,
  MailDomain,
  NewAgent,
  NewControlCommand,
  OutboundAnswer,
  Pagination,
  PagingOptions,
  RequestOptions,
} from '../src/index.ts';
import type { OperationTable } from '../src/operation-table.ts';

type Agents = Client['agents'];
type Calls = Client['calls'];
type Leads = Client['leads'];

describe('the types of the client', () => {
  it('match the operations, with unwrapped results', () => {
    expectTypeOf<Agents['get']>().toEqualTypeOf<(id: string, options?: RequestOptions) => Promise<Agent>>();
    expectTypeOf<Agents['create']>().toEqualTypeOf<(body: NewAgent, options?: RequestOptions) => Promise<Agent>>();
    expectTypeOf<Agents['update']>().parameters.toEqualTypeOf<
      [id: string, body: core.AgentChanges, options?: RequestOptions]
    >();
    expectTypeOf<Agents['list']>().returns.resolves.toEqualTypeOf<Agent[]>();
    expectTypeOf<Agents['delete']>().returns.resolves.toEqualTypeOf<void>();
    expectTypeOf<Calls['place']>().returns.resolves.toEqualTypeOf<OutboundAnswer>();
    expectTypeOf<Calls['control']>().toEqualTypeOf<
      (id: string, body: NewControlCommand, options?: RequestOptions) => Promise<ControlAnswer>
    >();
    expectTypeOf<Calls['list']>().parameter(0).toEqualTypeOf<CallQuery | undefined>();
    expectTypeOf<Calls['list']>().returns.resolves.toEqualTypeOf<{ calls: Call[]; pagination: Pagination }>();
    expectTypeOf<Leads['remove']>().toEqualTypeOf<
      (campaignId: string, leadId: string, options?: RequestOptions) => Promise<void>
    >();
    expectTypeOf<Client['domains']['get']>().returns.resolves.toEqualTypeOf<MailDomain | null>();
    expectTypeOf<Client['domains']['select']>().parameter(0).toEqualTypeOf<{ domain_id: string }>();
    expectTypeOf<Client['byok']['deleteOf']>().parameter(0).toEqualTypeOf<string>();
    expectTypeOf<Leads['import']>().returns.resolves.toEqualTypeOf<BulkResult>();
  });

  it('have the same fields as the types of the service', () => {
    expectTypeOf<Agent>().toExtend<core.Agent>();
    expectTypeOf<core.Agent>().toExtend<Agent>();
    expectTypeOf<core.Call>().toExtend<Call>();
    expectTypeOf<core.CampaignProgress>().toExtend<CampaignProgress>();
    expectTypeOf<CampaignProgress>().toExtend<core.CampaignProgress>();
    expectTypeOf<CallEventData>().toExtend<core.CallEventData>();
    expectTypeOf<core.CallEventData>().toExtend<CallEventData>();
  });

  it('have all() for lists only, as a generator of records', () => {
    type AllCalls = (
      filter?: Omit<CallQuery, 'limit' | 'offset'>,
      options?: PagingOptions,
    ) => AsyncGenerator<Call, void, void>;
    expectTypeOf<Calls['all']>().toEqualTypeOf<AllCalls>();
    expectTypeOf<Leads['all']>().returns.toEqualTypeOf<AsyncGenerator<Lead, void, void>>();
    expectTypeOf<Agents['all']>().returns.toEqualTypeOf<AsyncGenerator<Agent, void, void>>();
    expectTypeOf<Client['voices']>().not.toHaveProperty('all');
    expectTypeOf<Calls['events']>().returns.toEqualTypeOf<AsyncGenerator<CallEvent, void, void>>();
  });

  it('narrow the data of an event by its type', () => {
    expectTypeOf<CallEvent['type']>().toEqualTypeOf<core.CallEventType>();
    const read = (event: CallEvent): void => {
      if (event.type === 'dtmf') expectTypeOf(event.data.digit).toEqualTypeOf<string>();
      if (event.type === 'status') expectTypeOf(event.data.end_reason).toEqualTypeOf<core.EndReason | null>();
      // @ts-expect-error only a transcript has content
      if (event.type === 'status') expectTypeOf(event.data.content).toBeString();
      if (event.type === 'tool-result' && !event.data.ok) expectTypeOf(event.data.error).toEqualTypeOf<string>();
      // @ts-expect-error there is no such type
      if (event.type === 'transcrpt') expectTypeOf(event.data).toBeObject();
    };
    expectTypeOf(read).parameter(0).toEqualTypeOf<CallEvent>();
  });

  it('refuse unknown groups, statuses and commands, and missing fields', () => {
    expectTypeOf<Client>().not.toHaveProperty('accounts');
    expectTypeOf<Parameters<Calls['list']>[0]>().not.toExtend<{ status?: 'over' }>();
    expectTypeOf<{ first_message: string }>().not.toExtend<Parameters<Agents['create']>[0]>();
    expectTypeOf<{ type: 'shout'; content: string }>().not.toExtend<Parameters<Calls['control']>[1]>();
  });

  it('refuse a table of operations with missing, additional or wrong entries', () => {
    const voices = {
      list: { at: 'GET /voices' },
      sample: { at: 'POST /voices/sample', takes: 'body', gives: 'stream' },
    } as const;
    expectTypeOf(voices).toExtend<OperationTable['voices']>();
    const health: OperationTable['health'] = {
      get: { at: 'GET /health' },
      // @ts-expect-error there is no such operation
      set: { at: 'PUT /health' },
    };
    // @ts-expect-error the other operations are missing
    const missing: OperationTable['apiKeys'] = { delete: { at: 'DELETE /api-keys/:id', gives: 'nothing' } };
    // @ts-expect-error the path is another
    const elsewhere: OperationTable['voices']['list'] = { at: 'GET /voice' };
    // @ts-expect-error the answer is not wrapped
    const wrapped: OperationTable['voices']['list'] = { at: 'GET /voices', wrap: 'voices' };
    // @ts-expect-error the body is missing
    const withoutBody: OperationTable['domains']['add'] = { at: 'POST /domains' };
    // @ts-expect-error the pages are missing
    const withoutPages: OperationTable['usage']['list'] = { at: 'GET /usage', takes: 'query' };
    expectTypeOf([health, missing, elsewhere, wrapped, withoutBody, withoutPages]).toBeArray();
  });
});
