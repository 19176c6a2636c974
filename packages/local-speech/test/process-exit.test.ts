import { spawn } from 'node:child_process';
import { sourceProgram } from '@va/test-servers/programs';
import { describe, expect, it } from 'vitest';

/** Returns the output of a program, which is killed if it does not end by itself. */
async function run(program: URL): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [await sourceProgram(program)], { timeout: 60_000 });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  return await new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

describe('worker threads', () => {
  it('let the process exit, even with open sessions', async () => {
    expect(await run(new URL('./support/open-sessions.ts', import.meta.url))).toEqual({ code: 0, output: 'spoken\n' });
  });
});
