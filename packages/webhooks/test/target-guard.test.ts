import { lookup } from 'node:dns';
import { systemClock } from '@va/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type WebhooksOptions, webhooks } from '../src/index.ts';
import { isPublicAddress, publicLookup } from '../src/target-guard.ts';

const lookupPublic = publicLookup(lookup);

import { answerJson, type CustomerServer, startCustomerServer } from './support/customer-server.ts';
import { testHost, webhook } from './support/dispatcher.ts';

let server: CustomerServer;

beforeAll(async () => {
  server = await startCustomerServer((response) => answerJson(response, {}));
});

afterAll(async () => {
  await server.close();
});

async function ask(
  url: string,
  allowPrivateTargets: NonNullable<WebhooksOptions['allowPrivateTargets']>,
): Promise<unknown> {
  const dispatcher = webhooks({ allowPrivateTargets });
  dispatcher.start(testHost(systemClock));
  const options = { timeoutMs: 2_000, signal: new AbortController().signal };
  const outcome = await dispatcher.request(webhook(url, 'tool-calls'), options);
  await dispatcher.close({ drainMs: 0 });
  return outcome.ok ? 'sent' : outcome.reason;
}

describe('targets inside the network', () => {
  it.each(['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1', '2130706433', '0.0.0.0'])(
    'refuses %s, however it is written, and sends nothing',
    async (host) => {
      const { port } = new URL(server.url);
      const before = server.received.length;
      expect(await ask(`http://${host}:${port}/`, false)).toBe('refused');
      expect(server.received).toHaveLength(before);
    },
  );

  it('sends where the host allows it, for every URL or for one', async () => {
    expect(await ask(server.url, true)).toBe('sent');
    expect(await ask(server.url, (url) => url.pathname === '/hook')).toBe('sent');
    expect(await ask(server.url, (url) => url.pathname === '/other')).toBe('refused');
    expect(await ask(server.url.replace('127.0.0.1', 'localhost'), true)).toBe('sent');
  });

  it.each([
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '192.0.2.1',
    '198.18.0.1',
    '240.0.0.1',
    '::',
    '::1',
    'fe80::1',
    'fc00::1',
    'ff02::1',
    '::ffff:10.0.0.1',
    '::10.0.0.1',
    '64:ff9b::a00:1',
    '2002:a00:1::',
    '2001:db8::1',
    'fe80::1%eth0',
    'nonsense',
    '',
  ])('judges %s not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['8.8.8.8', '93.184.216.34', '2606:4700:4700::1111', '::ffff:8.8.8.8'])('judges %s public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe('looking a name up for a connection', () => {
  // An address is looked up as itself, so that this needs no name server.
  it('hands on the addresses that were judged, in the form that was asked for', async () => {
    const all = await new Promise((resolve) => {
      lookupPublic('8.8.8.8', { all: true }, (error, addresses) => resolve([error, addresses]));
    });
    expect(all).toEqual([null, [{ address: '8.8.8.8', family: 4 }]]);
    const one = await new Promise((resolve) => {
      lookupPublic('2606:4700:4700::1111', {}, (error, address, family) => resolve([error, address, family]));
    });
    expect(one).toEqual([null, '2606:4700:4700::1111', 6]);
  });

  it('fails for a name that resolves inside, and for one that does not resolve', async () => {
    for (const [name, code] of [
      ['localhost', 'refused_target'],
      ['nothing.invalid', expect.any(String)],
    ] as const) {
      const error = await new Promise((resolve) => {
        lookupPublic(name, { all: true }, resolve);
      });
      expect(error).toMatchObject({ code });
    }
  });
});
