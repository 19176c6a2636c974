import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from '@va/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lockFolder } from '../src/pglite/folder-lock.ts';
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

it('refuses a folder that is open, and opens it once that is closed', async () => {
  const second = pglite({ dir: join(dir, 'nested', 'data') });
  await expect(second.start()).rejects.toMatchObject({ code: 'folder_in_use' });
  await storage.close();
  await second.start();
  await expect(storage.start()).rejects.toMatchObject({ code: 'folder_in_use' });
  await second.close();
  await storage.start();
});

it('lets go of a folder that it opened and did nothing with', async () => {
  const idle = pglite({ dir: join(dir, 'idle'), migrations: 'off' });
  await idle.start();
  await idle.close();
  const release = await lockFolder(join(dir, 'idle'));
  await release();
});

it('opens a folder that a killed process has left', async () => {
  const lock = join(import.meta.dirname, '..', 'src', 'pglite', 'folder-lock.ts');
  const script = `const { lockFolder } = await import(${JSON.stringify(lock)});
    await lockFolder(${JSON.stringify(dir)}); process.kill(process.pid, 'SIGKILL');`;
  const child = spawn(process.execPath, [
    '--conditions=@va/source',
    '--import',
    'tsx',
    '--input-type=module',
    '-e',
    script,
  ]);
  const [, signal] = await once(child, 'exit');
  expect(signal).toBe('SIGKILL');
  const release = await lockFolder(dir);
  await expect(lockFolder(dir)).rejects.toMatchObject({ code: 'folder_in_use' });
  await release();
});
