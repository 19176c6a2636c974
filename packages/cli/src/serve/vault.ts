import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type AesVault, aesVault } from '@va/core';

const fileName = 'vault.key';

export interface ServedVault {
  readonly vault: AesVault;
  /** Path of the key file; null if the key comes from the environment. */
  readonly keyFile: string | null;
  /** True if there are previous keys, so that secrets must be sealed again. */
  readonly hasPreviousKeys: boolean;
}

/**
 * Opens the vault of `va serve` with VA_VAULT_KEY, or with a key that is created on the first start in the data
 * directory. VA_VAULT_PREVIOUS_KEYS lists earlier keys, separated by commas.
 * @throws VaError `invalid_vault_key`
 */
export async function openVault(dataDir: string, env: NodeJS.ProcessEnv): Promise<ServedVault> {
  const { VA_VAULT_KEY: key, VA_VAULT_PREVIOUS_KEYS: previous = '' } = env;
  const previousKeys = previous.split(',').filter((each) => each.trim() !== '');
  const hasPreviousKeys = previousKeys.length > 0;
  if (key) return { vault: aesVault({ key, previousKeys }), keyFile: null, hasPreviousKeys };
  const keyFile = join(dataDir, fileName);
  return { vault: aesVault({ key: await fileKey(dataDir, keyFile), previousKeys }), keyFile, hasPreviousKeys };
}

/** Reads the key file, or creates it atomically, so that two processes starting at once get the same key. */
async function fileKey(dir: string, path: string): Promise<string> {
  const existing = await read(path);
  if (existing !== null) return existing;
  await mkdir(dir, { recursive: true });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${randomBytes(32).toString('base64')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(draft, path);
  } catch (thrown) {
    if (!hasCode(thrown, 'EEXIST')) throw thrown;
  } finally {
    await unlink(draft);
  }
  return await readFile(path, 'utf8');
}

async function read(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (thrown) {
    if (hasCode(thrown, 'ENOENT')) return null;
    throw thrown;
  }
}

function hasCode(thrown: unknown, code: string): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === code;
}
