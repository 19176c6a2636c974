import { chmod, mkdir } from 'node:fs/promises';

/**
 * Restricts the data directory, and all files that this process creates, to its own user: they contain recordings,
 * transcripts and the vault's key.
 */
export async function keepPrivate(dataDir: string): Promise<void> {
  process.umask(0o077);
  await mkdir(dataDir, { recursive: true });
  // Earlier versions created the directory with world-readable permissions.
  await chmod(dataDir, 0o700);
}
