import { createServer, type Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { createVoiceAgents } from '@va/core';
import { createHandler } from '@va/http';
import { toNode } from '@va/http/node';
import { postgres } from '@va/storage/postgres';
import { silentLogger } from '@va/testkit';
import { webhooks } from '@va/webhooks';
import fastify from 'fastify';
import { Hono } from 'hono';
import pg from 'pg';
import type { RecordedStatement } from './recorded-sql.ts';
import { type Contestant, connections, type ServerSettings } from './settings.ts';

/** A contender in its own process: reports its port, and on request its memory and CPU time. */
const contestant = process.argv[2] as Contestant;
const settings = JSON.parse(process.env.BENCH_SETTINGS ?? '{}') as ServerSettings;

/** Starts the service as a host mounts it, with keys, validation and limits above any load. */
async function ours(): Promise<Server> {
  const { connectionString } = settings;
  const va = createVoiceAgents({
    storage: postgres({ connectionString, maxConnections: connections }),
    providers: [],
    webhooks: webhooks(),
    logger: silentLogger,
  });
  await va.start();
  return createServer(toNode(createHandler(va, { rateLimits: { requestsPerMinute: 1_000_000_000 } })));
}

interface Bare {
  agent(id: string): Promise<unknown>;
  calls(): Promise<unknown>;
}

/** Returns the queries of the routes without a framework, as statements prepared once per connection. */
function bare(): Bare {
  const pool = new pg.Pool({ connectionString: settings.connectionString, max: connections });
  const run = (name: string, { text, values }: RecordedStatement, changed?: unknown[]): Promise<{ rows: unknown[] }> =>
    pool.query({ name, text, values: changed ?? [...values] });
  const { agentSql, countSql, listSql } = settings;
  return {
    async agent(id) {
      // The id is the value other than the organization's.
      const values = agentSql.values.map((value) => (value === agentSql.values[0] ? value : id));
      const { rows } = await run('agent', agentSql, values);
      return { agent: rows[0] };
    },
    async calls() {
      const [count, list] = await Promise.all([run('count', countSql), run('list', listSql)]);
      const total = Number((count.rows[0] as { count: string }).count);
      return { calls: list.rows, pagination: { total, limit: 20, offset: 0 } };
    },
  };
}

function bareHono(): Server {
  const routes = bare();
  const app = new Hono();
  app.get('/api/v1/agents/:id', async (c) => c.json((await routes.agent(c.req.param('id'))) as object));
  app.get('/api/v1/calls', async (c) => c.json((await routes.calls()) as object));
  return createAdaptorServer({ fetch: app.fetch }) as Server;
}

async function bareFastify(): Promise<Server> {
  const routes = bare();
  const app = fastify();
  app.get<{ Params: { id: string } }>('/api/v1/agents/:id', (request) => routes.agent(request.params.id));
  app.get('/api/v1/calls', () => routes.calls());
  await app.ready();
  return app.server;
}

const server = await { ours, hono: bareHono, fastify: bareFastify }[contestant]();
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 });
});
process.on('message', (asked) => {
  if (asked === 'memory') globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  process.send?.({ rssMb: process.memoryUsage().rss / 1_048_576, cpuMs: (user + system) / 1_000 });
});
process.on('disconnect', () => process.exit(0));
