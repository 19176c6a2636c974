import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LegEnd } from '@va/core/adapter';
import { type Child, freePort, hasKamailio, type KamailioOptions, runKamailio } from '@va/test-servers/sip-peers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SipTelephony, sip } from '../../src/sip.ts';
import { AnsweringHost } from '../support/answering-host.ts';
import { loopback } from '../support/loopback.ts';
import { until } from '../support/until.ts';

const credentials = { username: 'acme', password: 'hunter22' };
type Transport = 'udp' | 'tcp';

let dir: string;
let sipPort: number;
let provider: Child;
let opened: SipTelephony[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'va-kamailio-'));
  sipPort = await freePort();
  opened = [];
});
afterEach(async () => {
  for (const each of opened) await each.close();
  await provider.stop();
  await rm(dir, { recursive: true });
});

async function start(algorithm: KamailioOptions['algorithm'], numbers = {}): Promise<void> {
  provider = await runKamailio({ dir, sipPort, algorithm, password: credentials.password, numbers });
}

async function open(
  host: AnsweringHost,
  transport: Transport,
  password: string | null,
  inbound: 'trunks' | 'open' = 'open',
): Promise<SipTelephony> {
  const account = { address: `127.0.0.1:${sipPort}`, transport, account: 'desk', username: credentials.username };
  const telephony = sip({
    listen: [`${transport}://127.0.0.1:0`],
    addresses: loopback,
    inbound,
    timers: { t1Ms: 100 },
    registrations: password === null ? [] : [{ ...account, password }],
  });
  opened.push(telephony);
  await telephony.start(host);
  return telephony;
}

describe.skipIf(!hasKamailio())('Kamailio as provider (Debian: kamailio)', () => {
  it.each<[KamailioOptions['algorithm'], Transport]>([
    ['MD5', 'udp'],
    ['SHA-256', 'udp'],
    ['SHA-256', 'tcp'],
  ])(
    'accepts the registration, and forwards a call to the account, by %s over %s',
    async (algorithm, transport) => {
      await start(algorithm);
      const callee = new AnsweringHost();
      await open(callee, transport, credentials.password);
      await provider.waitFor(new RegExp(`registered desk by Digest .*algorithm=${algorithm}, qop=auth`), 20_000);
      const caller = await open(new AnsweringHost(), transport, null);
      const ends: LegEnd[] = [];
      const call = caller.dial?.({
        callId: 'call',
        destination: 'desk',
        callerNumber: '+31201234567',
        trunk: { id: 't', address: `127.0.0.1:${sipPort}`, transport, credentials },
      });
      call?.onEnd((end) => ends.push(end));
      const incoming = await callee.call();
      expect(incoming.from.number).toBe('+31201234567');
      await Promise.all([incoming.answer(), call?.whenAnswered()]);
      expect(ends).toEqual([]);
      incoming.hangup();
      await until(() => ends.length > 0, 'the caller hears of the end', 5_000);
      expect(ends).toEqual([{ cause: 'remote-hangup' }]);
      expect(provider.output).toMatch(new RegExp(`called desk by Digest .*algorithm=${algorithm}, qop=auth`));
      expect(provider.output).not.toContain('insane');
    },
    40_000,
  );

  it('forwards calls to its numbers to the account, with the number in To (RFC 3261 §16.6)', async () => {
    const number = '+31201111111';
    await start('SHA-256', { [number]: 'desk' });
    const callee = new AnsweringHost();
    const trunk = { address: `127.0.0.1:${sipPort}`, username: null, password: async () => null };
    const numbersOf = async (dialed: string) => (dialed === number ? [{ number, isExact: true, trunks: [trunk] }] : []);
    await open(Object.assign(callee, { numbersOf }), 'udp', credentials.password, 'trunks');
    await provider.waitFor(/registered desk/, 20_000);
    const caller = await open(new AnsweringHost(), 'udp', null);
    caller.dial?.({
      callId: 'call',
      destination: number,
      callerNumber: '+31201234567',
      trunk: { id: 't', address: `127.0.0.1:${sipPort}`, transport: 'udp', credentials },
    });
    const incoming = await callee.call();
    expect(incoming.to.number).toBe(number);
    incoming.reject('busy');
  });

  it('rejects a wrong password', async () => {
    await start('SHA-256');
    await open(new AnsweringHost(), 'udp', credentials.password);
    await provider.waitFor(/registered desk/, 20_000);
    const caller = await open(new AnsweringHost(), 'udp', null);
    const ends: LegEnd[] = [];
    const call = caller.dial?.({
      callId: 'call',
      destination: 'desk',
      callerNumber: '+31201234567',
      trunk: {
        id: 't',
        address: `127.0.0.1:${sipPort}`,
        transport: 'udp',
        credentials: { ...credentials, password: 'guess' },
      },
    });
    call?.onEnd((end) => ends.push(end));
    await until(() => ends.length > 0, 'the call ends', 10_000);
    expect(ends).toMatchObject([{ cause: 'not-answered', why: 'failed', message: expect.stringMatching(/^407 /) }]);
  });
});
