import { chmod, mkdir } from 'node:fs/promises';

/**
 * Makes the data directory, and all files that this process creates, readable by its own user only: they contain
 * recordings, transcripts and the vault's key.
 */
export async function keepPrivate(dataDir: string): Promise<void> {
  process.umask(0o077);
  await mkdir(dataDir, { recursive: true });
  // Earlier versions created the directory readable by others.
  await chmod(dataDir, 0o700);
}
