import { spawn } from 'node:child_process';
import { sourceProgram } from '@va/test-servers/programs';
import { describe, expect, it } from 'vitest';

const script = new URL('../../support/hung-up-calls.ts', import.meta.url);

describe('a process whose calls were hung up in every state, on both pipelines', () => {
  it('leaves no timer or handle open and exits by itself', async () => {
    const child = spawn(process.execPath, [await sourceProgram(script)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    const killer = setTimeout(() => child.kill('SIGKILL'), 120_000);
    const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
    clearTimeout(killer);
    const outcome = JSON.parse(output) as { served: number };
    expect({ exitCode, ...outcome }).toEqual({ exitCode: 0, served: 20, ended: 20, open: 0, left: [] });
  });
});
