import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockFolder } from '../../src/pglite/folder-lock.ts';

describe('lockFolder', () => {
  let dir: string;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'va-lock-'));
    await mkdir(join(dir, 'data'));
  });

  afterEach(() => rm(dir, { recursive: true, force: true }));

  it('locks a folder once, until it is released', async () => {
    const release = await lockFolder(join(dir, 'data'));
    await expect(lockFolder(join(dir, 'data'))).rejects.toMatchObject({ code: 'folder_in_use' });
    await release();
    await (await lockFolder(join(dir, 'data')))();
  });

  it('knows a folder by any of its paths', async () => {
    await symlink(join(dir, 'data'), join(dir, 'link'));
    const release = await lockFolder(join(dir, 'data'));
    for (const path of [join(dir, 'link'), join(dir, 'data', '..', 'data', '/')]) {
      await expect(lockFolder(path), path).rejects.toMatchObject({ code: 'folder_in_use' });
    }
    await release();
  });

  it('locks different folders at once, and writes nothing into them', async () => {
    await mkdir(join(dir, 'other'));
    const releases = [await lockFolder(join(dir, 'data')), await lockFolder(join(dir, 'other'))];
    expect(await readdir(join(dir, 'other'))).toEqual([]);
    for (const release of releases) await release();
  });

  it('rejects a folder that does not exist', async () => {
    await expect(lockFolder(join(dir, 'nothing'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
