import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const openSessions = `
  import { pocketsphinx, flite } from '@va/local-speech';
  import { systemClock } from '@va/core/adapter';
  const logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => logger };
  const common = { signal: new AbortController().signal, clock: systemClock, logger };
  const format = { encoding: 'pcmu', sampleRateHz: 8000 };
  const stt = pocketsphinx().open({ ...common, format, hints: [], config: { provider: 'p', phrases: ['hello'] } });
  const utterance = flite().open({ ...common, format, config: { provider: 'flite' } }).speak();
  utterance.push('Hello.');
  utterance.end();
  let bytes = 0;
  for await (const event of utterance) if (event.type === 'audio') bytes += event.audio.length;
  console.log(bytes > 800 ? 'spoken' : 'silent');
`;

/** Returns the output of a script, which is killed if it does not end by itself. */
function runScript(script: string): Promise<{ code: number | null; output: string }> {
  const folder = fileURLToPath(new URL('..', import.meta.url));
  const args = ['--conditions=@va/source', '--import', 'tsx', '--input-type=module', '--eval', script];
  const child = spawn(process.execPath, args, { cwd: folder, timeout: 60_000 });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

describe('worker threads', () => {
  it('let the process exit, even with open sessions', async () => {
    expect(await runScript(openSessions)).toEqual({ code: 0, output: 'spoken\n' });
  });
});
