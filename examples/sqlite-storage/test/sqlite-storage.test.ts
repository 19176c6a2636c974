import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storageConformance } from '@va/testkit/storage';
import { afterAll, beforeAll, describe, it } from 'vitest';

const missing = await import('better-sqlite3').then(
  ({ default: Sqlite }) => new Sqlite(':memory:').close() && null,
  (error: unknown) => (error instanceof Error ? error.message : String(error)),
);

if (missing === null) {
  const { sqliteStorage } = await import('../src/sqlite-storage.ts');
  let dir: string;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'va-sqlite-'));
  });
  afterAll(() => rm(dir, { recursive: true }));

  storageConformance(
    { describe, it, afterAll },
    {
      name: 'sqlite',
      capabilities: { persistent: true, shared: false, migrations: false },
      open: () => sqliteStorage({ file: join(dir, 'va.db') }),
    },
  );
} else {
  it.skip(`passes the conformance kit (\`npm run natives\` installs better-sqlite3, which is missing: ${missing})`);
}
