import { type Clock, systemClock, systemRandom } from '@va/core/adapter';
import { silentLogger, VirtualClock } from '@va/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SipRequest } from '../../src/message/message.ts';
import { parseNameAddr } from '../../src/message/name-addr.ts';
import { backoffMs } from '../../src/trunk/backoff.ts';
import type { Registration, RegistrationOptions, RegistrationState } from '../../src/trunk/registration.ts';
import { UserAgent } from '../../src/user-agent.ts';
import { RawPeer } from '../support/raw-peer.ts';
import { until } from '../support/until.ts';

let agent: UserAgent;
let peer: RawPeer;
let states: RegistrationState[];

async function start(clock: Clock): Promise<void> {
  agent = await UserAgent.open({
    clock,
    random: systemRandom,
    logger: silentLogger,
    listen: ['udp://127.0.0.1:0'],
    timers: { t1Ms: 20, t2Ms: 80, t4Ms: 100 },
  });
}

beforeEach(async () => {
  states = [];
  peer = await RawPeer.open();
  await start(systemClock);
});
afterEach(async () => {
  await agent.destroy();
  await peer.close();
});

const target = (port: number) => ({ transport: 'udp' as const, address: '127.0.0.1', port });

function register(options: Partial<RegistrationOptions> = {}): Registration {
  const account = parseNameAddr('<sip:trunk7@provider.example>');
  if (account === null) throw new Error('malformed address');
  const targets = async () => [target(peer.port)];
  const credentials = { username: 'trunk7', password: 'secret' };
  return agent.register({ registrar: 'sip:provider.example', account, targets, credentials, ...options }, (state) =>
    states.push(state),
  );
}

const requested = () => peer.requested('REGISTER');

/** Accepts the requested Contact for that many seconds. */
function agree(request: SipRequest, expires: number | null): void {
  const suffix = expires === null ? '' : `;expires=${expires}`;
  const other = 'Contact: <sip:other@192.0.2.1>;expires=7';
  const ours = `Contact: ${request.headers.get('Contact')}${suffix}`;
  const bytes = [
    'SIP/2.0 200 OK',
    ...['Via', 'From', 'To', 'Call-ID', 'CSeq'].map((name) => `${name}: ${request.headers.get(name)}`),
    ...[other, ours, 'Expires: 60'],
  ];
  peer.send(`${bytes.join('\n')}\n\n`);
}

describe('Registration', () => {
  it('registers with credentials and a Contact', async () => {
    register();
    const first = await requested();
    expect(first.uri).toBe('sip:provider.example');
    expect(first.headers.get('To')).toBe('<sip:trunk7@provider.example>');
    expect(first.headers.get('Contact')).toBe(`<sip:trunk7@127.0.0.1:${agent.addresses[0]?.port}>`);
    expect(first.headers.get('Expires')).toBe('600');
    peer.respond(first, 401, { toTag: 'r', headers: ['WWW-Authenticate: Digest realm="p", nonce="n", qop="auth"'] });
    const second = await requested();
    expect(second.headers.get('Call-ID')).toBe(first.headers.get('Call-ID'));
    expect(second.headers.get('CSeq')).toBe('2 REGISTER');
    expect(second.headers.get('Authorization')).toContain('uri="sip:provider.example"');
    agree(second, 3_600);
    await until(() => states.length > 0, 'it is registered');
    expect(states).toEqual([{ type: 'registered', expiresSeconds: 3_600, target: target(peer.port) }]);
  });

  it("is refreshed before the provider's expiry, with the known credentials", async () => {
    register();
    const challenge = 'WWW-Authenticate: Digest realm="p", nonce="n", qop="auth"';
    peer.respond(await requested(), 401, { toTag: 'r', headers: [challenge] });
    agree(await requested(), 2);
    const refresh = await requested();
    expect(refresh.headers.get('Authorization')).toContain('nc=00000002');
    expect(refresh.headers.get('CSeq')).toBe('3 REGISTER');
    agree(refresh, null);
    await until(() => states.length === 2, 'it is registered again');
    expect(states[1]).toMatchObject({ expiresSeconds: 60 });
  });

  it("requests the provider's minimum interval", async () => {
    register({ expiresSeconds: 60 });
    peer.respond(await requested(), 423, { toTag: 'r', headers: ['Min-Expires: 1800'] });
    const again = await requested();
    expect(again.headers.get('Expires')).toBe('1800');
    agree(again, 1_800);
    await until(() => states.length > 0, 'it is registered');
  });

  it('stops raising the interval for a provider that rejects every one', async () => {
    register();
    for (const least of [1_000, 2_000, 3_000]) {
      peer.respond(await requested(), 423, { toTag: 'r', headers: [`Min-Expires: ${least}`] });
    }
    await until(() => states.length > 0, 'it fails');
    expect(states[0]).toMatchObject({ type: 'failed', status: 423 });
  });

  it('is retried after a delay when rejected, not before its Retry-After', async () => {
    const clock = new VirtualClock();
    await agent.destroy();
    await start(clock);
    register();
    peer.respond(await requested(), 403, { toTag: 'r', headers: ['Retry-After: 120 (busy)'] });
    await until(() => states.length > 0, 'it fails');
    expect(states).toEqual([{ type: 'failed', status: 403, message: '403 Because', retryInMs: 120_000 }]);
    await clock.advance(119_999);
    await peer.barrier();
    expect(peer.countRequests('REGISTER')).toBe(1);
    await clock.advance(1);
    await requested();
  });

  it('uses the next address when the first is silent or cannot serve', async () => {
    const [silent, busy] = [await RawPeer.open(), await RawPeer.open()];
    register({ targets: async () => [target(silent.port), target(busy.port), target(peer.port)] });
    await silent.requested('REGISTER');
    busy.respond(await busy.requested('REGISTER'), 503, { toTag: 'r' });
    agree(await requested(), 60);
    await until(() => states.length > 0, 'it is registered');
    expect(states[0]).toMatchObject({ type: 'registered', target: target(peer.port) });
    await Promise.all([silent.close(), busy.close()]);
  });

  it('reports a failure when its addresses cannot be found', async () => {
    register({ targets: () => Promise.reject(new Error('unknown name')) });
    await until(() => states.length > 0, 'it fails');
    expect(states[0]).toMatchObject({ type: 'failed', status: null, message: 'unknown name' });
  });

  it('is removed when the agent closes, and not refreshed any more', async () => {
    register();
    agree(await requested(), 60);
    await until(() => states.length > 0, 'it is registered');
    const closing = agent.close();
    const farewell = await requested();
    expect(farewell.headers.get('Expires')).toBe('0');
    agree(farewell, 0);
    await closing;
    expect(states.at(-1)).toEqual({ type: 'closed' });
  });

  it('is removed when the agent closes before the provider has responded', async () => {
    register();
    const first = await requested();
    const closing = agent.close();
    agree(first, 60);
    const farewell = await requested();
    expect(farewell.headers.get('Expires')).toBe('0');
    agree(farewell, 0);
    await closing;
    expect(states).toEqual([{ type: 'closed' }]);
  });

  it('closes after a second when a provider does not respond to the first request', async () => {
    const registration = register();
    await requested();
    await registration.close();
    expect(states).toEqual([{ type: 'closed' }]);
  });

  it('closes at once when it is destroyed during that second', async () => {
    const registration = register({ targets: () => new Promise(() => {}) });
    const closing = registration.close();
    registration.destroy();
    await closing;
    expect(states).toEqual([{ type: 'closed' }]);
  });

  it('closes without a long wait for a vanished provider', async () => {
    const registration = register();
    agree(await requested(), 60);
    await until(() => states.length > 0, 'it is registered');
    await registration.close();
    expect(states.at(-1)).toEqual({ type: 'closed' });
  });
});

describe('backoffMs', () => {
  it('doubles up to five minutes, and is randomly reduced by at most half', () => {
    const [none, all] = [() => new Uint8Array(1), () => new Uint8Array([255])];
    expect([1, 2, 3, 7, 8, 100].map((failures) => backoffMs(failures, none))).toEqual([
      5_000, 10_000, 20_000, 300_000, 300_000, 300_000,
    ]);
    expect(backoffMs(1, all)).toBe(2_500);
  });
});
