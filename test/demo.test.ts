import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Call } from '@va/core';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs `npm run demo` without API keys. */
async function runDemo(): Promise<{ output: string; exitCode: number | null }> {
  const { OPENAI_API_KEY: _, DEEPGRAM_API_KEY: __, ELEVENLABS_API_KEY: ___, ...env } = process.env;
  const child = spawn('npm', ['run', '--silent', 'demo'], { cwd: root, env });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const exitCode = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { output, exitCode };
}

describe('npm run demo', () => {
  it('runs a whole call without keys or network, prints it, and exits by itself', async () => {
    const { output, exitCode } = await runDemo();
    expect(exitCode, output).toBe(0);

    const callerTurns = output.match(/ caller {4}“/g) ?? [];
    expect(callerTurns.length, output).toBeGreaterThanOrEqual(4);
    expect(output.match(/first audio/g)?.length).toBeGreaterThanOrEqual(4);
    expect(output).toContain('find_table({"day":"friday","time":"seven"})');
    expect(output).toContain('wrote to its own reservations, in this process: john smith, +31612345678');
    expect(output).toContain('the caller interrupts, the agent stops');
    expect(output).toMatch(/tool-calls, signature verified \(v1,/);
    expect(output).toMatch(/end-of-call-report, signature verified \(v1,/);

    const json = /GET \/api\/v1\/calls\/[0-9a-f-]+\n(\{[\s\S]+?\n\})/.exec(output)?.[1] ?? '';
    const call = JSON.parse(json) as Call;
    expect(call).toMatchObject({ status: 'ended', end_reason: 'agent_hangup', direction: 'inbound' });
    expect(call.messages.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
      'i would like to book a table for two people',
      'on friday at seven',
      'yes please',
      'my name is john smith',
      'no thank you goodbye',
    ]);
    const recording = /Recording .*: (\S+\.wav)/.exec(output)?.[1] ?? '';
    expect(existsSync(recording)).toBe(true);
  });
});
