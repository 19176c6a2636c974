import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from '@va/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pglite } from '../src/pglite/index.ts';
import { newAgent, newId } from './support/records.ts';
import { storageSuite } from './support/storage-suite.ts';

let dir: string;
let storage: Storage;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'va-pglite-'));
  storage = pglite({ dir: join(dir, 'nested', 'data') });
  await storage.start();
});

afterAll(async () => {
  await storage.close();
  await rm(dir, { recursive: true, force: true });
});

storageSuite('pglite', () => storage);

it('refuses to use the one connection past an open transaction, which would wait for itself', async () => {
  const past = storage.transaction(() => storage.agents.get(newId(), newId()));
  await expect(past).rejects.toMatchObject({ code: 'nested_transaction' });
});

it('says so when it is used before start or after close', async () => {
  await expect(pglite().ping()).rejects.toMatchObject({ code: 'storage_not_started' });
});

it('finds its records again when the folder is opened anew', async () => {
  const orgId = newId();
  const agent = newAgent();
  await storage.agents.insert(orgId, agent);
  await storage.close();
  await expect(storage.ping()).rejects.toMatchObject({ code: 'storage_not_started' });
  await storage.start();
  expect(await storage.agents.get(orgId, agent.id)).toEqual(agent);
});
