import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepPrivate } from '../../src/serve/private-files.ts';

let dir: string;
let umask: number;

beforeEach(async () => {
  umask = process.umask();
  dir = await mkdtemp(join(tmpdir(), 'va-private-'));
});

afterEach(async () => {
  process.umask(umask);
  await rm(dir, { recursive: true });
});

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

// Security: recordings and transcripts were readable by every user of the machine.
describe('keepPrivate', () => {
  it('creates files that only their owner may read', async () => {
    const data = join(dir, 'va-data');
    await keepPrivate(data);
    await writeFile(join(data, 'recording.wav'), '');
    expect(await modeOf(data)).toBe(0o700);
    expect(await modeOf(join(data, 'recording.wav'))).toBe(0o600);
  });

  it('removes the access of others to an existing directory', async () => {
    await chmod(dir, 0o755);
    await keepPrivate(dir);
    expect(await modeOf(dir)).toBe(0o700);
  });
});
