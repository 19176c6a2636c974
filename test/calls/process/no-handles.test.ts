import { spawn } from 'node:child_process';
import { sourceProgram } from '@va/test-servers/programs';
import { describe, expect, it } from 'vitest';

const script = new URL('../../support/one-call.ts', import.meta.url);

interface Outcome {
  readonly exitCode: number | null;
  readonly output: string;
}

async function run(): Promise<Outcome> {
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
  return { exitCode, output };
}

describe('a process that served calls and closed the service', () => {
  it('leaves no handle open and exits by itself', async () => {
    const { exitCode, output } = await run();
    expect({ exitCode, ...JSON.parse(output) }).toEqual({
      exitCode: 0,
      endedBy: ['udp by far-end', 'tcp by far-end'],
      endReasons: ['agent_hangup', 'agent_hangup'],
      left: [],
    });
  });
});
