import { spawn } from 'node:child_process';
import { sourceProgram } from '@va/test-servers/programs';
import { describe, expect, it } from 'vitest';

const script = new URL('../support/one-call.ts', import.meta.url);

interface Outcome {
  readonly exitCode: number | null;
  readonly output: string;
  /** From the last printed line to the exit of the process. */
  readonly lingeredMs: number;
}

async function run(): Promise<Outcome> {
  const child = spawn(process.execPath, [await sourceProgram(script)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  let printedAt = performance.now();
  child.stdout.on('data', (chunk) => {
    output += chunk;
    printedAt = performance.now();
  });
  const killer = setTimeout(() => child.kill('SIGKILL'), 40_000);
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(killer);
  return { exitCode, output, lingeredMs: performance.now() - printedAt };
}

describe('a process that served calls and closed the service', () => {
  it('leaves no handle open and exits by itself', async () => {
    const { exitCode, output, lingeredMs } = await run();
    expect({ exitCode, ...JSON.parse(output) }).toEqual({
      exitCode: 0,
      endedBy: ['udp by far-end', 'tcp by far-end'],
      endReasons: ['agent_hangup', 'agent_hangup'],
      left: [],
    });
    expect(lingeredMs).toBeLessThan(3_000);
  }, 60_000);
});
