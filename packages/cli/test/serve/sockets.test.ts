import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sourceProgram } from '@va/test-servers/programs';
import { expect, it, vi } from 'vitest';

const main = new URL('../../src/main.ts', import.meta.url);

/** Returns the status of a request for a WebSocket. */
async function upgrading(url: string): Promise<number | undefined> {
  const key = { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-version': '13' };
  const asking = request(url, { headers: { connection: 'Upgrade', upgrade: 'websocket', ...key } });
  asking.end();
  return await new Promise((resolve, reject) => {
    asking.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy();
      resolve(statusCode);
    });
    asking.on('response', ({ statusCode }) => resolve(statusCode));
    asking.on('error', reject);
  });
}

it('va serve › takes webhooks of carriers and calls from browsers, and needs no SIP', async () => {
  const data = await mkdtemp(join(tmpdir(), 'va-serve-'));
  const options = ['--port', '0', '--data', data, '--no-sip', '--carrier', 'twilio', '--web-calls'];
  const args = [await sourceProgram(main), 'serve', ...options];
  const { DATABASE_URL: _, ...env } = process.env;
  const child = spawn(process.execPath, [...args, '--public-url', 'https://example.com/voice'], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  try {
    const url = await vi.waitFor(() => {
      const found = /^API {2}(http:.*)\/api\/v1$/m.exec(output)?.[1];
      if (found === undefined || !output.includes('va-web.js')) throw new Error(`va serve printed: ${output}`);
      return found;
    });
    expect(output).toContain('https://example.com/voice/telephony/twilio/voice');
    expect(output).not.toContain('SIP');
    expect(await (await fetch(`${url}/va-web.js`)).text()).toContain('VaWeb');
    const unsigned = await fetch(`${url}/telephony/twilio/voice`, { method: 'POST', body: new URLSearchParams() });
    expect(unsigned.status).toBe(403);
    expect((await fetch(`${url}/telephony/telnyx/voice`, { method: 'POST' })).status).toBe(404);
    expect(await upgrading(`${url}/telephony/web/calls`)).toBe(101);
    expect(await upgrading(`${url}/else`)).toBe(404);
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
    await rm(data, { recursive: true });
  }
});
