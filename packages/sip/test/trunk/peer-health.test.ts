import { type Clock, systemClock, systemRandom } from '@va/core/adapter';
import { silentLogger, VirtualClock } from '@va/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseNameAddr } from '../../src/message/name-addr.ts';
import type { PeerHealth } from '../../src/trunk/peer-health.ts';
import { UserAgent } from '../../src/user-agent.ts';
import { RawPeer } from '../support/raw-peer.ts';
import { until } from '../support/until.ts';

let agent: UserAgent;
let peer: RawPeer;
let reported: string[];

async function start(clock: Clock): Promise<void> {
  agent = await UserAgent.open({
    clock,
    random: systemRandom,
    logger: silentLogger,
    listen: ['udp://127.0.0.1:0'],
    timers: { t1Ms: 500, t2Ms: 500, t4Ms: 100 },
  });
}

beforeEach(async () => {
  reported = [];
  peer = await RawPeer.open();
  await start(systemClock);
});
afterEach(async () => {
  await agent.destroy();
  await peer.close();
});

function watch(ports: readonly number[] = [peer.port]): PeerHealth {
  const from = parseNameAddr('<sip:va@127.0.0.1>');
  if (from === null) throw new Error('malformed address');
  const targets = async () => ports.map((port) => ({ transport: 'udp' as const, address: '127.0.0.1', port }));
  return agent.watch(
    { uri: 'sip:provider.example', from, targets, intervalMs: 20, timeoutMs: 200 },
    { onUp: () => reported.push('up'), onDown: (message) => reported.push(message) },
  );
}

const requested = () => peer.requested('OPTIONS');

describe('PeerHealth', () => {
  it('is up after any first response, and reports it once', async () => {
    const health = watch();
    expect(health.state).toBe('unknown');
    for (const status of [404, 200, 405]) peer.respond(await requested(), status, { toTag: 'p' });
    await requested();
    expect([reported, health.state]).toEqual([['up'], 'up']);
  });

  it('is down when the peer cannot serve twice in a row, and up again afterwards', async () => {
    watch();
    for (const status of [200, 503, 200, 503, 408, 503, 200]) peer.respond(await requested(), status, { toTag: 'p' });
    await requested();
    expect(reported).toEqual(['up', '408 Because', 'up']);
  });

  it('is down when nothing responds', async () => {
    watch();
    await until(() => reported.length > 0, 'it is down', 5_000);
    expect(reported).toEqual(['No response arrived within 200 ms.']);
  });

  it('is up as long as one of its addresses responds', async () => {
    const other = await RawPeer.open();
    watch([other.port, peer.port]);
    other.respond(await other.requested('OPTIONS'), 503, { toTag: 'p' });
    peer.respond(await requested(), 200, { toTag: 'p' });
    await until(() => reported.length > 0, 'it is up');
    expect(reported).toEqual(['up']);
    await other.close();
  });

  it('sends no probe after it was stopped', async () => {
    const clock = new VirtualClock();
    await agent.destroy();
    await start(clock);
    const health = watch();
    peer.respond(await requested(), 200, { toTag: 'p' });
    await until(() => reported.length > 0, 'it is up');
    await clock.advance(20);
    peer.respond(await requested(), 200, { toTag: 'p' });
    await peer.barrier();
    health.stop();
    await clock.advance(1_000);
    await peer.barrier();
    expect(peer.countRequests('OPTIONS')).toBe(2);
  });
});
