import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { completeHeader, leftBehind, sizeOf, spooledFile } from '../../src/s3/spool.ts';

const orgId = '00000000-0000-7000-8000-00000000000a';
const otherOrgId = '00000000-0000-7000-8000-00000000000b';
const callId = '00000000-0000-7000-8000-000000000001';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'va-spool-'));
});
afterEach(() => rm(dir, { recursive: true }));

/** Writes files by their path below the folder. */
async function write(files: Readonly<Record<string, Uint8Array | string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(dir, path, '..'), { recursive: true });
    await writeFile(join(dir, path), content);
  }
}

describe('leftBehind', () => {
  it('finds the recordings of all organizations', async () => {
    await write({ [`${orgId}/${callId}.wav`]: 'a', [`${otherOrgId}/${callId}.wav`]: 'b' });
    expect((await leftBehind(dir)).toSorted((a, b) => a.path.localeCompare(b.path))).toEqual([
      { orgId, callId, path: join(dir, orgId, `${callId}.wav`) },
      { orgId: otherOrgId, callId, path: join(dir, otherOrgId, `${callId}.wav`) },
    ]);
  });

  it.each([
    ['a folder of no organization', `tmp/${callId}.wav`],
    ['a file of no call', `${orgId}/notes.wav`],
    ['another kind of file', `${orgId}/${callId}.wav.part`],
    ['a file without an extension', `${orgId}/${callId}`],
    ['a file beside the folders', `${callId}.wav`],
    ['a file in place of a folder', orgId],
    ['a deeper folder', `${orgId}/${otherOrgId}/${callId}.wav`],
  ])('ignores %s', async (_, path) => {
    await write({ [path]: 'a' });
    expect(await leftBehind(dir)).toEqual([]);
  });

  it('finds nothing in a folder that does not exist yet', async () => {
    expect(await leftBehind(join(dir, 'later'))).toEqual([]);
  });
});

describe('sizeOf', () => {
  it('returns the size of a file, and null without one', async () => {
    await write({ file: '12345' });
    expect(await sizeOf(join(dir, 'file'))).toBe(5);
    expect(await sizeOf(join(dir, 'other'))).toBeNull();
  });

  it('fails for another error than a missing file', async () => {
    await write({ file: '1' });
    await expect(sizeOf(join(dir, 'file', 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });
});

describe('completeHeader', () => {
  const path = `${orgId}/${callId}.wav`;
  const complete = async (bytes: Uint8Array): Promise<Buffer> => {
    await write({ [path]: bytes });
    await completeHeader(spooledFile(dir, orgId, callId));
    return await readFile(join(dir, path));
  };

  it('writes the lengths of the file and of its samples, and changes nothing else', async () => {
    const bytes = Uint8Array.from({ length: 44 + 640 }, (_, i) => i & 0xff);
    const completed = await complete(bytes);
    expect(completed.readUInt32LE(4)).toBe(36 + 640);
    expect(completed.readUInt32LE(40)).toBe(640);
    const expected = Buffer.from(bytes);
    expected.writeUInt32LE(36 + 640, 4);
    expected.writeUInt32LE(640, 40);
    expect(completed).toEqual(expected);
  });

  it('writes a length of 0 for a recording without samples', async () => {
    expect((await complete(new Uint8Array(44).fill(1))).readUInt32LE(40)).toBe(0);
  });

  it('leaves an incomplete header unchanged', async () => {
    expect(await complete(new Uint8Array(43).fill(1))).toEqual(Buffer.alloc(43, 1));
    expect(await complete(new Uint8Array(0))).toEqual(Buffer.alloc(0));
  });

  it('fails for a file that is gone', async () => {
    await expect(completeHeader(spooledFile(dir, orgId, callId))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
