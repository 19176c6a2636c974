import { VaError } from '@va/core';

/** Loads an optional peer dependency. Throws `missing_peer`, which names the package to install. */
export async function loadPeer<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new VaError('missing_peer', `This storage adapter needs the package ${name}: npm install ${name}`, { cause });
  }
}
