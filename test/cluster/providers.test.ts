import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram, freePort } from '@va/test-servers/sip-peers';
import { describe, expect, it } from 'vitest';

const config = fileURLToPath(new URL('../../examples/cluster/config/kamailio.cfg', import.meta.url));
const program = findProgram('kamailio', 'kamailio');

/** Returns the status that Kamailio sends for an INVITE from this machine while no node is running. */
async function statusWith(providers: string): Promise<number> {
  const dir = await mkdtemp(join(tmpdir(), 'va-providers-'));
  await writeFile(join(dir, 'providers.list'), providers);
  await writeFile(join(dir, 'nodes.list'), `1 sip:127.0.0.1:${await freePort()}\n`);
  const port = await freePort();
  const listen = ['-l', `udp:127.0.0.1:${port}`, '-DD', '-E', '-m', '32', '-M', '8'];
  const allowed = ['-A', `PROVIDERS="${join(dir, 'providers.list')}"`];
  const args = ['-f', config, ...allowed, ...listen, '-Y', dir, '-w', dir, '-P', join(dir, 'pid')];
  const kamailio = spawn(program ?? '', args, { cwd: dir, stdio: 'ignore' });
  const exited = new Promise((resolve) => kamailio.once('exit', resolve));
  const socket = createSocket('udp4');
  try {
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    const from = socket.address().port;
    const invite = [
      `INVITE sip:+31201234567@127.0.0.1:${port} SIP/2.0`,
      `Via: SIP/2.0/UDP 127.0.0.1:${from};branch=z9hG4bK1;rport`,
      'From: <sip:a@127.0.0.1>;tag=a',
      'To: <sip:+31201234567@127.0.0.1>',
      'Call-ID: one',
      'CSeq: 1 INVITE',
      `Contact: <sip:a@127.0.0.1:${from}>`,
      'Max-Forwards: 70',
      'Content-Length: 0',
    ];
    return await new Promise((resolve) => {
      // Retransmits until Kamailio has started.
      const again = setInterval(() => socket.send(`${invite.join('\r\n')}\r\n\r\n`, port, '127.0.0.1'), 200);
      socket.on('message', (bytes) => {
        const status = Number(bytes.toString().split(' ')[1]);
        if (status < 200) return;
        clearInterval(again);
        resolve(status);
      });
    });
  } finally {
    socket.close();
    kamailio.kill('SIGTERM');
    await exited;
    await rm(dir, { recursive: true });
  }
}

describe.skipIf(program === null)('Kamailio in front of the nodes of examples/cluster (Debian: kamailio)', () => {
  it('rejects callers that are not in providers.list without asking a node', async () => {
    expect(await statusWith('1 192.0.2.7 32 0\n')).toBe(403);
  });

  it('forwards callers in providers.list to the nodes', async () => {
    expect(await statusWith('1 127.0.0.1 32 0\n')).not.toBe(403);
  });
});
