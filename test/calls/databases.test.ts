import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VoiceAgentsOptions } from '@va/core';
import type { Storage } from '@va/core/adapter';
import { pglite } from '@va/storage/pglite';
import { postgres } from '@va/storage/postgres';
import { type PostgresServer, startPostgres } from '@va/test-servers/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { preparePgliteFolder } from '../../packages/storage/test/support/prepared-pglite.ts';
import { toolResult } from '../support/customer.ts';
import { scriptedAgent, toolWords } from '../support/scripted-agent.ts';
import { startService } from '../support/service.ts';
import { callAgent, exchange } from '../support/short-call.ts';

const invoices = 'create table if not exists invoices (call_id text primary key, seconds integer)';

/** Writes a row of the host application in the transaction that ends the call. */
const onCallEnded: NonNullable<VoiceAgentsOptions['onCallEnded']> = async (call, { client }) => {
  await client?.query(invoices);
  await client?.query('insert into invoices values ($1, $2)', [call.id, call.duration_seconds]);
};

/** Runs a call with a tool, and expects its record after the storage was closed and reopened. */
async function expectCallToBeKept(open: () => Storage): Promise<void> {
  const service = await startService({
    storage: open(),
    agent: scriptedAgent({ turns: [toolWords] }),
    answerTool: toolResult('table twelve'),
    onCallEnded,
  });
  const call = await callAgent(service);
  await exchange(call);
  await call.hangup();
  const record = await service.ended(1);
  await service.close();
  expect(service.customer.of('end-of-call-report')).toHaveLength(1);
  expect(record.messages.map(({ content }) => content)).toEqual(['Good evening.', toolWords, 'I found table twelve.']);

  const reopened = open();
  await reopened.start();
  try {
    // Internal columns: the node of the call and the number of its stored webhooks.
    expect(await reopened.calls.get(service.orgId, record.id)).toEqual({
      ...record,
      node_id: null,
      reserved_seconds: null,
      webhook_sequence: service.customer.of('status-update').length + 1,
    });
    const { rows } = await reopened.transaction(
      async (tx) => await (reopened.sqlClient?.(tx) ?? fail()).query('select * from invoices'),
    );
    expect(rows).toEqual([{ call_id: record.id, seconds: record.duration_seconds }]);
    expect(await reopened.agents.list(service.orgId, { limit: 10, offset: 0 })).toHaveLength(1);
  } finally {
    await reopened.close();
  }
}

function fail(): never {
  throw new Error('the storage has no SQL client');
}

describe('a call on PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  it('is stored across a restart', async () => {
    await expectCallToBeKept(() => postgres({ connectionString: server.connectionString, migrations: 'auto' }));
  });
});

describe('a call on PGlite', () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'va-pglite-'));
    await preparePgliteFolder(join(dir, 'db'));
  });
  afterAll(() => rm(dir, { recursive: true }));

  it('is stored on disk across a restart', async () => {
    await expectCallToBeKept(() => pglite({ dir: join(dir, 'db') }));
  });
});
