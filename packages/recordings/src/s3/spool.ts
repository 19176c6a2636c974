import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isUuid } from '@va/core/adapter';

const headerBytes = 44;

/** The file of a recording that is not uploaded yet. */
export interface Spooled {
  readonly orgId: string;
  readonly callId: string;
  readonly path: string;
}

export function spooledFile(dir: string, orgId: string, callId: string): Spooled {
  return { orgId, callId, path: join(dir, orgId, `${callId}.wav`) };
}

/** Returns the recordings that an earlier process left. */
export async function leftBehind(dir: string): Promise<Spooled[]> {
  const found: Spooled[] = [];
  for (const orgId of await entries(dir)) {
    if (!isUuid(orgId)) continue;
    for (const file of await entries(join(dir, orgId))) {
      const [, callId = ''] = /^(.+)\.wav$/.exec(file) ?? [];
      if (isUuid(callId)) found.push(spooledFile(dir, orgId, callId));
    }
  }
  return found;
}

/** Returns the size of a file; null if it does not exist. */
export async function sizeOf(path: string): Promise<number | null> {
  return await stat(path).then(
    ({ size }) => size,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    },
  );
}

/** Writes the number of samples into the WAV header of a recording whose process died. */
export async function completeHeader({ path }: Spooled): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const { size } = await file.stat();
    if (size < headerBytes) return;
    const lengths = Buffer.alloc(4);
    lengths.writeUInt32LE(size - 8);
    await file.write(lengths, 0, 4, 4);
    lengths.writeUInt32LE(size - headerBytes);
    await file.write(lengths, 0, 4, 40);
  } finally {
    await file.close();
  }
}

async function entries(dir: string): Promise<string[]> {
  return await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
}
