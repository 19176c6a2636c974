import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';

const example = fileURLToPath(new URL('../examples/express/server.ts', import.meta.url));
const tsx = import.meta.resolve('tsx');
/** As the README has them. */
const [httpPort, sipPort] = [3_000, 5_060];
const api = `http://127.0.0.1:${httpPort}/voice/api/v1`;

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const free = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, () => resolve(true));
  });
  if (free) await new Promise((resolve) => server.close(resolve));
  return free;
}

describe('the express example', () => {
  it(`serves the API on port ${httpPort} and SIP on ${sipPort}, and ends on SIGTERM`, async ({ onTestFinished }) => {
    expect(await isFree(httpPort), `Port ${httpPort}, which the example listens on, is taken.`).toBe(true);
    const cwd = await mkdtemp(join(tmpdir(), 'va-example-'));
    const child = spawn(process.execPath, ['--conditions=@va/source', '--import', tsx, example], { cwd });
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await exited;
      await rm(cwd, { recursive: true });
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }

    const health = await vi
      .waitFor(() => fetch(`${api}/health`), { timeout: 45_000, interval: 200 })
      .catch(() => {
        throw new Error(`The example does not answer:\n${output}`);
      });
    expect(health.status).toBe(200);
    expect(await health.json()).toMatchObject({ status: 'ok' });
    expect((await fetch(`${api}/agents`)).status).toBe(401);
    child.kill('SIGTERM');
    expect(await exited, output).toBe(0);
  }, 70_000);
});
