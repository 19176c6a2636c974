import { createSocket, type Socket } from 'node:dgram';
import { systemRandom } from '@va/core/adapter';
import { silentLogger, VirtualClock } from '@va/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseNameAddr } from '../../src/message/name-addr.ts';
import { UserAgent } from '../../src/user-agent.ts';
import { until } from '../support/until.ts';

let clock: VirtualClock;
let agent: UserAgent;
let registrar: Socket;
let heard: string[];

beforeEach(async () => {
  heard = [];
  clock = new VirtualClock();
  registrar = createSocket('udp4', (bytes, from) => {
    const text = bytes.toString();
    heard.push(text.split(' ', 1)[0] ?? '');
    if (!text.startsWith('REGISTER')) return;
    const copied = text.split('\r\n').filter((line) => /^(?:Via|From|To|Call-ID|CSeq|Contact|Expires):/.test(line));
    registrar.send(['SIP/2.0 200 OK', ...copied, '', ''].join('\r\n'), from.port, from.address);
  });
  await new Promise<void>((resolve) => registrar.bind(0, '127.0.0.1', resolve));
  const listen = ['udp://127.0.0.1:0'];
  agent = await UserAgent.open({ clock, random: systemRandom, logger: silentLogger, listen });
});
afterEach(async () => {
  await agent.destroy();
  await new Promise<void>((resolve) => registrar.close(resolve));
});

const pings = (): number => heard.filter((text) => text === '\r\n\r\n').length;

it('registration sends a keep-alive every 25 s as long as it is active', async () => {
  const account = parseNameAddr('<sip:trunk7@provider.example>');
  if (account === null) throw new Error('malformed address');
  const { port } = registrar.address();
  const targets = async () => [{ transport: 'udp' as const, address: '127.0.0.1', port }];
  const registration = agent.register({ registrar: 'sip:provider.example', account, targets }, () => {});
  await until(() => registration.state.type === 'registered', 'the account is registered');
  await clock.advance(24_999);
  expect(pings()).toBe(0);
  await clock.advance(1);
  await until(() => pings() === 1, 'a keep-alive arrives');
  await clock.advance(25_000);
  await until(() => pings() === 2, 'another one arrives');
  registration.destroy();
  await clock.advance(100_000);
  expect(clock.pending).toBe(0);
  expect(pings()).toBe(2);
});
