import { createHash } from 'node:crypto';
import { realpath, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VaError } from '@va/core';

/**
 * Locks a folder to one process on this machine, because two PGlites on one folder overwrite each other's data. The
 * lock is a listening socket, which the system closes when the process dies. Throws `folder_in_use`. Resolves to the
 * function that releases it.
 */
export async function lockFolder(dir: string): Promise<() => Promise<void>> {
  const path = lockPath(await realpath(dir));
  const server = (await listen(path)) ?? (await listenAfterCrash(path));
  if (server === null) {
    throw new VaError(
      'folder_in_use',
      `The folder ${dir} is open already, here or in another process. ` +
        'PGlite serves one process at a time; PostgreSQL serves many.',
    );
  }
  return () => new Promise((resolve) => server.close(() => resolve()));
}

/**
 * Returns the path of the socket. It is outside the folder, because the path of a socket is limited to about 100 bytes.
 */
function lockPath(dir: string): string {
  const name = `va-pglite-${createHash('sha256').update(dir).digest('hex').slice(0, 24)}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

/** Returns null if the path is in use. */
function listen(path: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.unref();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null);
      else reject(error);
    });
    server.listen(path, () => resolve(server));
  });
}

/** Listens on a path that a dead process left behind. Returns null if a live process answers. */
async function listenAfterCrash(path: string): Promise<Server | null> {
  if (await isAnswered(path)) return null;
  await rm(path, { force: true });
  return await listen(path);
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
