import { systemClock, systemRandom } from '@va/core/adapter';
import { silentLogger } from '@va/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SipRequest } from '../../src/message/message.ts';
import { parseNameAddr } from '../../src/message/name-addr.ts';
import type { RegistrationState } from '../../src/trunk/registration.ts';
import { UserAgent } from '../../src/user-agent.ts';
import { RawPeer } from '../support/raw-peer.ts';
import { until } from '../support/until.ts';

let agent: UserAgent;
let registrar: RawPeer;
let states: RegistrationState[];

beforeEach(async () => {
  states = [];
  registrar = await RawPeer.open();
  const listen = ['udp://127.0.0.1:0'];
  agent = await UserAgent.open({ clock: systemClock, random: systemRandom, logger: silentLogger, listen });
});
afterEach(async () => {
  await agent.destroy();
  await registrar.close();
});

/** Responds 200 as a registrar that sees another source address. */
function agreeAcrossNat(request: SipRequest, port: number): void {
  const via = (request.headers.get('Via') ?? '').replace(/;rport\b/, `;received=198.51.100.7;rport=${port}`);
  const copied = ['From', 'To', 'Call-ID', 'CSeq'].map((name) => `${name}: ${request.headers.get(name)}`);
  const contact = `Contact: ${request.headers.get('Contact')};expires=600`;
  registrar.send(['SIP/2.0 200 OK', `Via: ${via}`, ...copied, contact, '', ''].join('\n'));
}

it('registration behind a NAT uses only the source address of its packets', async () => {
  const account = parseNameAddr('<sip:trunk7@provider.example>');
  if (account === null) throw new Error('malformed address');
  const targets = async () => [{ transport: 'udp' as const, address: '127.0.0.1', port: registrar.port }];
  agent.register({ registrar: 'sip:provider.example', account, targets }, (state) => states.push(state));
  const first = await registrar.requested('REGISTER');
  const own = `<sip:trunk7@127.0.0.1:${agent.addresses[0]?.port}>`;
  expect(first.headers.all('Contact')).toEqual([own]);
  agreeAcrossNat(first, 31_337);
  const second = await registrar.requested('REGISTER');
  expect(second.headers.all('Contact')).toEqual(['<sip:trunk7@198.51.100.7:31337>', `${own};expires=0`]);
  // A NAT that assigns another port per packet must not cause endless registrations.
  agreeAcrossNat(second, 31_338);
  await until(() => states.at(-1)?.type === 'registered', 'the account is registered');
  await registrar.barrier();
  expect(registrar.count((each) => each.kind === 'request')).toBe(2);
});
