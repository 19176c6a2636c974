import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@va/core/adapter';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { signedHeaders } from '../src/request/signed-headers.ts';
import { verifyWithBoth } from './guide/both-secrets.ts';
import { isGenuine } from './guide/by-hand.ts';
import { dispatcher as localDispatcher } from './guide/local.ts';
import { receiver } from './guide/receiver.ts';
import { startDispatcher, storeAndDeliver, testHost, webhook } from './support/dispatcher.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const previousSecret = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const guide = await readFile(join(import.meta.dirname, '..', '..', '..', 'docs', 'webhooks.md'), 'utf8');
const excerpts = [...guide.matchAll(/^```ts source=(\S+)\n([\s\S]*?)^```$/gm)];

let url: string;

beforeEach(async () => {
  vi.stubEnv('WEBHOOK_SECRET', secret);
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const address = receiver.address();
  url = `http://localhost:${typeof address === 'object' ? address?.port : 0}/hook`;
});

afterEach(async () => {
  vi.unstubAllEnvs();
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

describe('guide to webhooks', () => {
  it('quotes only code of these tests', async () => {
    expect(excerpts.map(([, file]) => file)).toEqual(['receiver.ts', 'by-hand.ts', 'both-secrets.ts', 'local.ts']);
    for (const [, file = '', code = ''] of excerpts) {
      expect(await readFile(join(import.meta.dirname, 'guide', file), 'utf8'), file).toBe(code);
    }
    expect(guide.match(/^```ts/gm)).toHaveLength(excerpts.length);
  });

  it('has a receiver that responds to signed webhooks and refuses others', async () => {
    const { dispatcher, attempts, host } = startDispatcher(systemClock);
    const signal = new AbortController().signal;
    const asked = await dispatcher.request(webhook(url, 'tool-calls'), { timeoutMs: 5_000, signal });
    expect(asked).toMatchObject({ ok: true, body: { result: 'The table is free.' } });
    await storeAndDeliver({ dispatcher, host }, webhook(url, 'status-update'));
    await dispatcher.settled();
    expect(attempts.at(-1)?.outcome).toMatchObject({ ok: true, status: 200 });
    await dispatcher.close({ drainMs: 0 });
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
  });

  it('verifies without the package, and with both secrets during a rotation', () => {
    const body = JSON.stringify({ message: { type: 'test', timestamp: '2026-01-01T00:00:00.000Z' } });
    const delivery = { webhookId: 'msg_1', event: 'test', body } as const;
    const headers = signedHeaders(delivery, { url, secret, previousSecret }, systemClock);
    expect(isGenuine(secret, headers, body)).toBe(true);
    expect(isGenuine(previousSecret, headers, body)).toBe(true);
    expect(isGenuine(secret, headers, `${body} `)).toBe(false);
    const plain = signedHeaders(delivery, { url, secret: previousSecret }, systemClock);
    expect(verifyWithBoth({ headers: plain, body }, [secret, previousSecret])).toBe('test');
    expect(() => verifyWithBoth({ headers: plain, body }, [secret])).toThrow('No signature matches');
  });

  it('allows localhost by its name, and not by its address', async () => {
    localDispatcher.start(testHost(systemClock));
    const ask = async (to: string) => {
      const options = { timeoutMs: 5_000, signal: new AbortController().signal };
      return await localDispatcher.request(webhook(to, 'tool-calls'), options);
    };
    expect(await ask(url)).toMatchObject({ ok: true });
    expect(await ask(url.replace('localhost', '127.0.0.1'))).toMatchObject({ ok: false, reason: 'refused' });
    await localDispatcher.close({ drainMs: 0 });
  });
});
