import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findProgram } from '@va/test-servers/sip-peers';
import { describe, expect, it } from 'vitest';

const dir = fileURLToPath(new URL('../../examples/cluster', import.meta.url));
const programs = [findProgram('kamailio', 'kamailio'), findProgram('haproxy', 'haproxy')];

describe.skipIf(programs.includes(null))('two nodes behind Kamailio and HAProxy (Debian: kamailio, haproxy)', () => {
  it('share calls, control and watch all of them, restart without loss, and survive the death of one', async () => {
    const child = spawn(process.execPath, ['../../scripts/run.mjs', 'try.ts'], {
      cwd: dir,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    const exitCode = await new Promise<number | null>((resolve) => child.once('exit', resolve));
    expect(exitCode, output).toBe(0);
    for (const seen of [
      'calls go to both nodes in turn',
      'any node controls any call, and tells of all of them',
      'a rolling restart costs no call',
      'a call after the death of a node is answered by another',
      'the calls of the dead node end as worker_lost',
    ]) {
      expect(output).toContain(`✓ ${seen}`);
    }
  });
});
