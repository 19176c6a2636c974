import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sourceProgram } from '@va/test-servers/programs';
import { sampleAgent } from '@va/testkit';
import { storageConformance, type TestRunner } from '@va/testkit/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrations } from '../src/migrations/migrations.ts';
import { lockFolder } from '../src/pglite/folder-lock.ts';
import { pglite } from '../src/pglite/index.ts';
import { preparedPglite, preparePgliteFolder } from './support/prepared-pglite.ts';
import { newId } from './support/records.ts';

const runner = { describe, it, afterAll };
/** Groups that run in memory too, as a folder could make a difference; the others run in a folder only. */
const inMemoryToo = /: (?:declarations|values|constraints|transactions|lifecycle)$/;
let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'va-pglite-'));
  await preparePgliteFolder(join(dir, 'data'));
  await preparePgliteFolder(join(dir, 'locked'));
});

afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
});

const runsInMemory: TestRunner = {
  ...runner,
  describe: (name, register) => (inMemoryToo.test(name) ? describe(name, register) : undefined),
};

storageConformance(runsInMemory, {
  name: 'pglite in memory',
  capabilities: { persistent: false, shared: false, migrations: true },
  open: () => preparedPglite(),
});

storageConformance(runner, {
  name: 'pglite in a folder',
  capabilities: { persistent: true, shared: false, migrations: true },
  open: () => pglite({ dir: join(dir, 'data') }),
  model: { runs: 20 },
});

describe('pglite without a folder', () => {
  it('creates and migrates a database in memory when it starts', async () => {
    const storage = pglite();
    await storage.start();
    const [orgId, agent] = [newId(), sampleAgent()];
    await storage.agents.insert(orgId, agent);
    expect(await storage.agents.get(orgId, agent.id)).toEqual(agent);
    await storage.close();
  });
});

describe('pglite: its folder', () => {
  it('is not created by planning the migrations', async () => {
    const planned = await pglite({ dir: join(dir, 'planned') }).migrations.plan();
    expect(planned.map(({ name }) => name)).toEqual([...migrations.map(({ name }) => name), 'job-queue']);
    expect(await readdir(dir)).not.toContain('planned');
  });

  it('is migrated without being started, once', async () => {
    const storage = pglite({ dir: join(dir, 'nested', 'migrated'), migrations: 'check' });
    await expect(storage.start()).rejects.toMatchObject({ code: 'migrations_pending' });
    // The migrations and the schema of the job queue.
    expect(await storage.migrations.apply()).toHaveLength(migrations.length + 1);
    expect(await storage.migrations.apply()).toEqual([]);
    await storage.start();
    await storage.close();
  });

  it('is refused while it is open, and can be opened after it is closed', async () => {
    const [first, second] = [pglite({ dir: join(dir, 'locked') }), pglite({ dir: join(dir, 'locked') })];
    await first.start();
    await expect(second.start()).rejects.toMatchObject({ code: 'folder_in_use' });
    await first.close();
    await second.start();
    await expect(first.start()).rejects.toMatchObject({ code: 'folder_in_use' });
    await second.close();
  });

  it('is released if it was opened and not used', async () => {
    const idle = pglite({ dir: join(dir, 'locked'), migrations: 'off' });
    await idle.start();
    await idle.close();
    const release = await lockFolder(join(dir, 'locked'));
    await release();
  });

  it('can be opened after its process was killed', async () => {
    const program = await sourceProgram(new URL('./support/lock-and-die.ts', import.meta.url));
    const child = spawn(process.execPath, [program, dir]);
    const [, signal] = await once(child, 'exit');
    expect(signal).toBe('SIGKILL');
    const release = await lockFolder(dir);
    await expect(lockFolder(dir)).rejects.toMatchObject({ code: 'folder_in_use' });
    await release();
  });
});
