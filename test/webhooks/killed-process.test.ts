import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVoiceAgents } from '@va/core';
import type { Storage } from '@va/core/adapter';
import { pglite } from '@va/storage/pglite';
import { postgres } from '@va/storage/postgres';
import { startPostgres } from '@va/test-servers/postgres';
import { sourceProgram } from '@va/test-servers/programs';
import { silentLogger } from '@va/testkit';
import { webhooks } from '@va/webhooks';
import { describe, expect, it, vi } from 'vitest';
import { preparePgliteFolder } from '../../packages/storage/test/support/prepared-pglite.ts';

interface Received {
  readonly id: string | string[] | undefined;
  readonly message: { type: string; call: { status: string } };
}

/** Registers a function that runs after the test, in reverse order. */
type Closing = (close: () => Promise<void>) => void;

const databases: Record<string, (closing: Closing) => Promise<{ where: string; open: () => Storage }>> = {
  async postgres(closing) {
    const server = await startPostgres();
    closing(() => server.stop());
    const { connectionString } = server;
    return { where: connectionString, open: () => postgres({ connectionString }) };
  },
  async pglite(closing) {
    const dir = await mkdtemp(join(tmpdir(), 'va-killed-'));
    closing(() => rm(dir, { recursive: true, force: true }));
    await preparePgliteFolder(dir);
    return { where: dir, open: () => pglite({ dir }) };
  },
};

describe('a process killed after the end of a call is stored and before it is reported', () => {
  // Run concurrently: both wait half a minute until the dead process's lease expires.
  it.for(Object.entries(databases))(
    'leaves the webhooks to the next process, under the same ids: %s',
    { concurrent: true, timeout: 180_000 },
    async ([, database], { onTestFinished }) => {
      const { where, open } = await database(onTestFinished);
      const { url, received } = await startCustomer(onTestFinished);
      const sent = await serveAndDie(where, url);
      expect(received.map(({ message }) => message.call.status)).toEqual(['in-progress']);
      const va = createVoiceAgents({
        storage: open(),
        providers: [],
        webhooks: webhooks({ allowPrivateTargets: true }),
        logger: silentLogger,
      });
      await va.start();
      onTestFinished(() => va.close({ drainMs: 1_000 }));
      // The dead process holds its lease for half a minute.
      await vi.waitFor(() => expect(received).toHaveLength(3), { timeout: 90_000, interval: 200 });
      expect(received.slice(1).map(({ message }) => message.type)).toEqual(['status-update', 'end-of-call-report']);
      expect(received.slice(1).map(({ id }) => id)).toEqual(sent);
      const { id: orgId } = await va.operations.organizations.ensureDefault();
      const { calls } = await va.operations.calls.list(orgId, {});
      expect(calls).toMatchObject([{ status: 'ended', end_reason: 'user_hangup' }]);
      const { logs } = await va.operations.usage.list(orgId, {});
      expect(logs).toHaveLength(1);
      await vi.waitFor(async () => {
        const { deliveries } = await va.operations.webhookDeliveries.list(orgId, {});
        expect(deliveries.map(({ status }) => status)).toEqual(['delivered', 'delivered', 'delivered']);
      });
    },
  );
});

/** Resolves to the ids of the stored webhooks when the process is dead. */
async function serveAndDie(where: string, customerUrl: string): Promise<unknown> {
  const program = await sourceProgram(new URL('dying-process.ts', import.meta.url));
  const child = spawn(process.execPath, [program, where, customerUrl], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  let told: unknown = null;
  child.on('message', (message) => {
    told = message;
  });
  const signal = await new Promise((resolve) => child.once('exit', (_code, by) => resolve(by)));
  expect(signal).toBe('SIGKILL');
  return told;
}

async function startCustomer(closing: Closing): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { message } = JSON.parse(Buffer.concat(chunks).toString());
      received.push({ id: request.headers['webhook-id'], message });
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  return { url: `http://127.0.0.1:${address.port}/`, received };
}
