import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sourceProgram } from '@va/test-servers/programs';
import { expect, onTestFinished, vi } from 'vitest';

const preparedDatabase = new URL('prepared-database.ts', import.meta.url);

/** An example that runs as its own process in an empty folder. */
export interface RunningExample {
  readonly origin: string;
  /** Returns the printed output. */
  output(): string;
  /** Sends SIGTERM and resolves to the exit code. */
  terminate(): Promise<number | null>;
}

export async function startExample(
  name: string,
  options: { readonly port: number; readonly env: Readonly<Record<string, string>> },
): Promise<RunningExample> {
  const { port, env } = options;
  expect(await isFree(port), `Port ${port}, which the example listens on, is taken.`).toBe(true);
  const server = await sourceProgram(new URL(`../../examples/${name}/server.ts`, import.meta.url));
  const preload = pathToFileURL(await sourceProgram(preparedDatabase)).href;
  const cwd = await mkdtemp(join(tmpdir(), 'va-example-'));
  // PGlite's WebAssembly is not run often enough to be worth its optimization.
  const child = spawn(process.execPath, ['--liftoff-only', '--import', preload, server], {
    cwd,
    env: { ...process.env, ...env, PORT: String(port) },
  });
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
  const origin = `http://localhost:${port}`;
  const up = vi.waitFor(() => fetch(`${origin}/voice/api/v1/health`), { timeout: 120_000, interval: 200 });
  const health = await Promise.race([up, exited]).catch(() => null);
  if (!(health instanceof Response)) throw new Error(`the example did not respond:\n${output}`);
  expect(health.status).toBe(200);
  return {
    origin,
    output: () => output,
    async terminate() {
      child.kill('SIGTERM');
      return await exited;
    },
  };
}

export async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const free = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, () => resolve(true));
  });
  if (free) await new Promise((resolve) => server.close(resolve));
  return free;
}
