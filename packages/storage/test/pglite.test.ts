import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storageConformance, type TestRunner } from '@va/testkit/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrations } from '../src/migrations/migrations.ts';
import { lockFolder } from '../src/pglite/folder-lock.ts';
import { pglite } from '../src/pglite/index.ts';
import { preparePgliteFolder } from './support/prepared-pglite.ts';

const runner = { describe, it, afterAll };
/** Groups that run in memory too, as a folder could make a difference; the others run in a folder only. */
const inMemoryToo = /: (?:declarations|values|constraints|transactions|lifecycle)$/;
let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'va-pglite-'));
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
  open: () => pglite(),
});

storageConformance(runner, {
  name: 'pglite in a folder',
  capabilities: { persistent: true, shared: false, migrations: true },
  open: () => pglite({ dir: join(dir, 'nested', 'data') }),
  model: { runs: 20 },
});

describe('pglite: its folder', () => {
  it('is not created by planning the migrations', async () => {
    const planned = await pglite({ dir: join(dir, 'planned') }).migrations.plan();
    expect(planned.map(({ name }) => name)).toEqual([...migrations.map(({ name }) => name), 'job-queue']);
    expect(await readdir(dir)).not.toContain('planned');
  });

  it('is migrated without being started, once', async () => {
    const storage = pglite({ dir: join(dir, 'migrated'), migrations: 'check' });
    await expect(storage.start()).rejects.toMatchObject({ code: 'migrations_pending' });
    // And the queue's schema.
    expect(await storage.migrations.apply()).toHaveLength(migrations.length + 1);
    expect(await storage.migrations.apply()).toEqual([]);
    await storage.start();
    await storage.close();
  });

  it('is refused while it is open, and opened once it is closed', async () => {
    await preparePgliteFolder(join(dir, 'one'));
    const [first, second] = [pglite({ dir: join(dir, 'one') }), pglite({ dir: join(dir, 'one') })];
    await first.start();
    await expect(second.start()).rejects.toMatchObject({ code: 'folder_in_use' });
    await first.close();
    await second.start();
    await expect(first.start()).rejects.toMatchObject({ code: 'folder_in_use' });
    await second.close();
  });

  it('is released when it was opened and not used', async () => {
    await preparePgliteFolder(join(dir, 'idle'));
    const idle = pglite({ dir: join(dir, 'idle'), migrations: 'off' });
    await idle.start();
    await idle.close();
    const release = await lockFolder(join(dir, 'idle'));
    await release();
  });

  it('can be opened after its process was killed', async () => {
    const lock = join(import.meta.dirname, '..', 'src', 'pglite', 'folder-lock.ts');
    const script = `const { lockFolder } = await import(${JSON.stringify(lock)});
      await lockFolder(${JSON.stringify(dir)}); process.kill(process.pid, 'SIGKILL');`;
    const options = ['--conditions=@va/source', '--import', 'tsx', '--input-type=module', '-e', script];
    const child = spawn(process.execPath, options);
    const [, signal] = await once(child, 'exit');
    expect(signal).toBe('SIGKILL');
    const release = await lockFolder(dir);
    await expect(lockFolder(dir)).rejects.toMatchObject({ code: 'folder_in_use' });
    await release();
  });
});
