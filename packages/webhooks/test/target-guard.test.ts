import { type AddressPolicy, connectionLookup, createAddressPolicy, HostResolver, systemClock } from '@va/core/adapter';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type WebhooksOptions, webhooks } from '../src/index.ts';
import { answerJson, type CustomerServer, startCustomerServer } from './support/customer-server.ts';
import { testHost, webhook } from './support/dispatcher.ts';

const lookupPublic = connectionLookup(new HostResolver({ clock: systemClock }), createAddressPolicy());

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
  addresses?: AddressPolicy,
): Promise<unknown> {
  const dispatcher = webhooks({ allowPrivateTargets, ...(addresses === undefined ? {} : { addresses }) });
  dispatcher.start(testHost(systemClock));
  const options = { timeoutMs: 2_000, signal: new AbortController().signal };
  const outcome = await dispatcher.request(webhook(url, 'tool-calls'), options);
  await dispatcher.close({ drainMs: 0 });
  return outcome.ok ? 'sent' : outcome.reason;
}

describe('private targets', () => {
  it.each(['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1', '2130706433', '0.0.0.0'])(
    'refuses %s without a request',
    async (host) => {
      const { port } = new URL(server.url);
      const before = server.received.length;
      expect(await ask(`http://${host}:${port}/`, false)).toBe('refused');
      expect(server.received).toHaveLength(before);
    },
  );

  it('sends to private targets when the host allows all or one of them', async () => {
    expect(await ask(server.url, true)).toBe('sent');
    expect(await ask(server.url, (url) => url.pathname === '/hook')).toBe('sent');
    expect(await ask(server.url, (url) => url.pathname === '/other')).toBe('refused');
    expect(await ask(server.url.replace('127.0.0.1', 'localhost'), true)).toBe('sent');
  });

  it('sends to an address that the policy allows, and not to another one', async () => {
    const addresses = createAddressPolicy({ allowed: ['127.0.0.1'] });
    expect(await ask(server.url, false, addresses)).toBe('sent');
    expect(await ask(server.url.replace('127.0.0.1', '127.0.0.2'), false, addresses)).toBe('refused');
  });

  it('does not reveal the address of a refused name', async () => {
    const error = await new Promise((resolve) => {
      lookupPublic('localhost', { all: true }, resolve);
    });
    expect(String(error)).not.toMatch(/127\.0\.0\.1|::1/);
  });
});

describe('lookup of a connection', () => {
  // An address is looked up as itself, so that this needs no name server.
  it('returns the checked addresses in the requested form', async () => {
    const all = await new Promise((resolve) => {
      lookupPublic('8.8.8.8', { all: true }, (error, addresses) => resolve([error, addresses]));
    });
    expect(all).toEqual([null, [{ address: '8.8.8.8', family: 4 }]]);
    const one = await new Promise((resolve) => {
      lookupPublic('2606:4700:4700::1111', {}, (error, address, family) => resolve([error, address, family]));
    });
    expect(one).toEqual([null, '2606:4700:4700::1111', 6]);
  });

  it('fails when a name resolves to a private address, or not at all', async () => {
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
