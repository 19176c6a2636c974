import { chmod, mkdir } from 'node:fs/promises';

/**
 * Makes the data directory and all files that this process creates readable by its own user alone: they hold
 * recordings, transcripts and the key of the vault.
 */
export async function keepPrivate(dataDir: string): Promise<void> {
  process.umask(0o077);
  await mkdir(dataDir, { recursive: true });
  // A directory of an earlier version is open to other users.
  await chmod(dataDir, 0o700);
}
