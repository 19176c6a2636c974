import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns';
import { askWith, connectionLookup, createAddressPolicy, HostResolver, systemClock } from '@va/core/adapter';
import { DnsServer } from '@va/test-servers/mail-servers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HostLookup, webhooks } from '../src/index.ts';
import { answerJson, type CustomerServer, startCustomerServer } from './support/customer-server.ts';
import { testHost, webhook } from './support/dispatcher.ts';

const name = 'hooks.customer.test';
const publicAddress = '93.184.215.14';

let dns: DnsServer;
let inside: CustomerServer;
let url: string;
let lookup: HostLookup;
const closing: (() => Promise<void>)[] = [];

beforeEach(async () => {
  dns = await DnsServer.start();
  inside = await startCustomerServer((response) => answerJson(response, {}));
  url = `http://${name}:${new URL(inside.url).port}/hook`;
  const resolver = new Resolver();
  resolver.setServers([dns.address]);
  lookup = (hostname, _options, callback) =>
    resolver.resolve4(hostname, (error, addresses) =>
      callback(error, error === null ? addresses.map((address) => ({ address, family: 4 })) : []),
    );
  closing.push(
    () => dns.close(),
    () => inside.close(),
  );
});

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function answers(...addresses: string[]): void {
  dns.publish(name, { type: 'A', addresses, ttlSeconds: 0 });
}

/** Returns the target of a connection, or the reason for refusing it. */
function connected(): Promise<LookupAddress[] | string> {
  return new Promise((resolve) => {
    const resolver = new HostResolver({ clock: systemClock, ask: askWith(lookup) });
    connectionLookup(resolver, createAddressPolicy())(name, { all: true }, (error, addresses) =>
      resolve(error === null && typeof addresses !== 'string' ? addresses : String(error?.message)),
    );
  });
}

async function post(): Promise<unknown> {
  const dispatcher = webhooks({ lookup });
  dispatcher.start(testHost(systemClock));
  try {
    const signal = new AbortController().signal;
    return await dispatcher.request(webhook(url, 'tool-calls'), { timeoutMs: 5_000, signal });
  } finally {
    await dispatcher.close({ drainMs: 0 });
  }
}

describe('DNS rebinding', () => {
  it('is prevented: the name is looked up once, and the connection uses the checked address', async () => {
    answers(publicAddress);
    const first = connected();
    expect(await first).toEqual([{ address: publicAddress, family: 4 }]);
    answers('127.0.0.1');
    expect(dns.questions).toEqual([`A ${name}`]);
    expect(await connected()).toContain('may contact');
  });

  it('is refused when the name resolves to a private address', async () => {
    answers('127.0.0.1');
    expect(await post()).toMatchObject({ ok: false, reason: 'refused', message: expect.stringContaining(name) });
    expect(dns.questions).toEqual([`A ${name}`]);
    expect(inside.received).toEqual([]);
  });

  it('is refused when one of several addresses is private', async () => {
    answers(publicAddress, '127.0.0.1');
    expect(await post()).toMatchObject({ ok: false, reason: 'refused' });
    expect(inside.received).toEqual([]);
  });

  it('is prevented: only the dispatcher looks names up', async () => {
    expect(await post()).toMatchObject({ ok: false, reason: 'network', message: expect.stringContaining('ENOTFOUND') });
    expect(dns.questions.length).toBeGreaterThan(0);
  });
});
