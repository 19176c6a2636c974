import { VirtualClock } from '@va/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SipRequest } from '../../src/message/message.ts';
import { sip } from '../../src/sip.ts';
import { AnsweringHost } from '../support/answering-host.ts';
import { RawPeer } from '../support/raw-peer.ts';
import { until } from '../support/until.ts';

let peer: RawPeer;

beforeEach(async () => {
  peer = await RawPeer.open();
});
afterEach(() => peer.close());

function agree(request: SipRequest): void {
  const fields = ['Via', 'From', 'To', 'Call-ID', 'CSeq'].map((name) => `${name}: ${request.headers.get(name)}`);
  const contact = `Contact: ${request.headers.get('Contact')};expires=600`;
  peer.send(`${['SIP/2.0 200 OK', ...fields, contact, 'Content-Length: 0'].join('\r\n')}\r\n\r\n`);
}

it('account is registered while the service runs, with its password', async () => {
  const clock = new VirtualClock();
  const telephony = sip({
    listen: ['udp://127.0.0.1:0'],
    mediaWorkers: 0,
    timers: { t1Ms: 20, t2Ms: 80, t4Ms: 100 },
    registrations: [
      { address: `127.0.0.1:${peer.port}`, username: 'acme', password: 'hunter22', account: '+31201234567' },
    ],
  });
  await telephony.start(new AnsweringHost(clock));
  const first = await peer.requested('REGISTER');
  expect(first.uri).toBe('sip:127.0.0.1');
  expect(first.headers.get('To')).toBe('<sip:+31201234567@127.0.0.1>');
  peer.respond(first, 401, { toTag: 'a', headers: ['WWW-Authenticate: Digest realm="peer", nonce="n1", qop="auth"'] });
  const proven = await peer.requested('REGISTER');
  expect(proven.headers.get('Authorization')).toContain('username="acme"');
  agree(proven);
  await until(() => telephony.registrations?.[0]?.state === 'registered', 'it is registered');
  expect(telephony.registrations).toEqual([
    {
      registrar: `127.0.0.1:${peer.port}`,
      account: '+31201234567',
      state: 'registered',
      reason: null,
      since: new Date(clock.wallMs()).toISOString(),
      expires_at: new Date(clock.wallMs() + 600_000).toISOString(),
    },
  ]);
  const closing = telephony.close();
  const farewell = await peer.requested('REGISTER');
  expect(`${farewell.headers.get('Contact')} ${farewell.headers.get('Expires')}`).toMatch(/expires=0| 0$/);
  agree(farewell);
  await closing;
});

it('account that is refused is shown with the reason, without its password', async () => {
  const telephony = sip({
    listen: ['udp://127.0.0.1:0'],
    timers: { t1Ms: 20, t2Ms: 80, t4Ms: 100 },
    registrations: [{ address: `127.0.0.1:${peer.port}`, username: 'acme', password: 'hunter22' }],
  });
  await telephony.start(new AnsweringHost());
  expect(telephony.registrations).toMatchObject([{ account: 'acme', state: 'registering', expires_at: null }]);
  peer.respond(await peer.requested('REGISTER'), 403, { toTag: 'a' });
  await until(() => telephony.registrations?.[0]?.state === 'failed', 'it has failed');
  expect(telephony.registrations).toMatchObject([{ reason: expect.stringMatching(/^403 /) }]);
  expect(JSON.stringify(telephony.registrations)).not.toContain('hunter22');
  await telephony.close();
});

it('account with a malformed address is rejected at the start', async () => {
  const telephony = sip({
    listen: ['udp://127.0.0.1:0'],
    registrations: [{ address: 'two words', username: 'a b', password: 'x' }],
  });
  await expect(telephony.start(new AnsweringHost())).rejects.toMatchObject({ code: 'sip_registration' });
  await telephony.close();
});
